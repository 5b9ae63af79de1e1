/** When a cohort will be finished: the 80% range, the 50% range and the median. */
import { tooltip } from '../../../ui/tooltip.tsx';
import type { DateScale } from '../about-forecast.ts';
import styles from './rows.module.css';

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

export const DateHead = ({ scale }: { scale: DateScale }) => (
  <>
    <span className={styles['unseen']}>Range</span>
    <span className={styles['scale']} aria-hidden="true">
      {scale.ticks.map(({ at, text }) => (
        <span key={text} style={{ left: percent(at) }} data-first={at === 0 || undefined}>
          {text}
        </span>
      ))}
    </span>
  </>
);

interface Props {
  scale: DateScale;
  range: { p10: string; p25: string; median: string; p75: string; p90: string };
  /** The dates, for the tooltip. */
  text: string;
}

export function ForecastPlot({ scale, range: { p10, p25, median, p75, p90 }, text }: Props) {
  const x = (date: string) => percent(scale.at(date));
  return (
    <svg
      className={styles['plot']}
      height="40"
      width="100%"
      role="img"
      aria-label={text}
      tabIndex={0}
      stroke="var(--accent)"
      {...tooltip(text)}
    >
      <rect width="100%" height="100%" fill="transparent" stroke="none" />
      {scale.ticks.map(({ at }) => (
        <line
          key={at}
          className={at === 0 ? undefined : styles['grid']}
          x1={percent(at)}
          x2={percent(at)}
          y1="0"
          y2="40"
          stroke={at === 0 ? 'var(--edge)' : 'var(--line)'}
        />
      ))}
      <line x1={x(p10)} x2={x(p90)} y1="20" y2="20" strokeWidth="7" strokeOpacity="0.28" strokeLinecap="round" />
      <line x1={x(p25)} x2={x(p75)} y1="20" y2="20" strokeWidth="7" strokeOpacity="0.55" />
      <line x1={x(median)} x2={x(median)} y1="13" y2="27" strokeWidth="2" />
    </svg>
  );
}
