import { FinalMark } from '../../../status/state-chip.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { barKinds } from './state-node.tsx';
import styles from './graph.module.css';

const Line = ({ dashed = false }: { dashed?: boolean }) => (
  <svg width="24" height="8" aria-hidden="true" className={styles['edge']} data-by-person={dashed || undefined}>
    <path className={styles['line']} d="M0 4L23 4" />
  </svg>
);

export const Legend = () => (
  <ul className={styles['legend']} aria-label="Legend">
    <li>
      <Line /> Moved by the engine
    </li>
    <li>
      <Line dashed /> Moved by a person
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
    {barKinds.map(({ key, word }) => (
      <li key={key}>
        <span className={styles['bar']}>
          <s data-kind={key} />
        </span>
        {word.charAt(0).toUpperCase() + word.slice(1)}
      </li>
    ))}
  </ul>
);
