/** How long stays in a state take, on a logarithmic scale: 10 to 90%, 25 to 75%, and the median. */
import { tooltip } from '../../../ui/tooltip.tsx';
import type { LogScale } from './log-scale.ts';
import styles from './rows.module.css';

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

export const ScaleHead = ({ scale }: { scale: LogScale }) => (
  <>
    <span className={styles['unseen']}>Lengths of stays</span>
    <span className={styles['scale']} aria-hidden="true">
      {scale.ticks.map(({ at, text }) => (
        <span key={text} style={{ left: percent(at) }}>
          {text}
        </span>
      ))}
    </span>
  </>
);

interface Props {
  scale: LogScale;
  quantiles: { p10: number; p25: number; median: number; p75: number; p90: number };
  colour: string;
  /** The values, for the tooltip. */
  text: string;
}

export function StayPlot({ scale, quantiles, colour, text }: Props) {
  const x = (seconds: number) => percent(scale.at(seconds));
  const { p10, p25, median, p75, p90 } = quantiles;
  return (
    <svg
      className={styles['plot']}
      height="28"
      width="100%"
      role="img"
      aria-label={text}
      tabIndex={0}
      stroke={colour}
      fill={colour}
      {...tooltip(text)}
    >
      <rect width="100%" height="100%" fill="transparent" stroke="none" />
      {scale.ticks.map(({ at }) => (
        <line
          key={at}
          className={styles['grid']}
          x1={percent(at)}
          x2={percent(at)}
          y1="0"
          y2="28"
          stroke="var(--line)"
        />
      ))}
      <line x1={x(p10)} x2={x(p90)} y1="14" y2="14" strokeWidth="1.5" />
      <line x1={x(p25)} x2={x(p75)} y1="14" y2="14" strokeWidth="7" strokeOpacity="0.4" />
      <circle cx={x(median)} cy="14" r="4" stroke="var(--bg)" />
    </svg>
  );
}
