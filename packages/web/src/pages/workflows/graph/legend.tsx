import { FinalMark } from '../../../status/state-chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ArrowLine } from './edge-lines.tsx';
import { byText } from './edges.ts';
import { barKinds } from './state-parts.ts';
import styles from './graph.module.css';

const line = [
  { x: 0, y: 4 },
  { x: 23, y: 4 },
];

const Line = ({ dashed = false, width }: { dashed?: boolean; width?: number }) => (
  <svg width="24" height="8" aria-hidden="true" className={styles['edge']} data-by-person={dashed || undefined}>
    <ArrowLine points={line} width={width} />
  </svg>
);

/** A past day has no proportions. */
export const Legend = ({ isPast }: { isPast: boolean }) => (
  <ul className={styles['legend']} aria-label="Legend">
    <li>
      <Line /> {byText.engine}
    </li>
    <li>
      <Line dashed /> {byText.person}
    </li>
    <li>
      <Line width={3} /> More moves in 12 weeks
    </li>
    <li>
      <span className={styles['decision']}>
        <Icon name="person" size={13} />
      </span>
      Decision state
    </li>
    <li>
      <FinalMark outcome="good" colour="var(--ok)" />
      <FinalMark outcome="bad" colour="var(--fail)" />
      <FinalMark outcome="neutral" colour="var(--faint)" />
      Final: good, bad, neutral
    </li>
    {(isPast ? [] : barKinds.toReversed()).map(({ kind, word }) => (
      <li key={kind}>
        <span className={styles['bar']}>
          <s data-kind={kind} />
        </span>
        {word}
      </li>
    ))}
  </ul>
);
