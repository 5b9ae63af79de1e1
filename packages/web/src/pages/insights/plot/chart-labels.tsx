/** The labels of a chart: beside it, tied to their places by lines, or below it on a narrow screen. */
import { Link } from 'react-router';
import { count } from '../../../ui/numbers.ts';
import { tooltipIfTruncated } from '../../../ui/tooltip.tsx';
import type { Geometry } from './chart-geometry.ts';
import type { PlotLabel } from './plot-series.ts';
import styles from './plot.module.css';

interface Props {
  /** From the highest. */
  labels: readonly PlotLabel[];
}

const leaderWidth = 24;
const nameWidth = 148;

function Label({ label: { title, value, to, isTotal } }: { label: PlotLabel }) {
  const content = (
    <>
      <bdi className={styles['name']} data-strong={isTotal} {...tooltipIfTruncated(title)}>
        {title}
      </bdi>
      <b>{count(value)}</b>
    </>
  );
  return to === undefined ? <span className={styles['unlinked']}>{content}</span> : <Link to={to}>{content}</Link>;
}

export const LabelsBelow = ({ labels }: Props) => (
  <ul className={`${styles['labels']} ${styles['below']}`} aria-label="Now">
    {labels.map((label) => (
      <li key={label.key}>
        <i className={styles['mark']} style={{ background: label.colour }} aria-hidden="true" />
        <Label label={label} />
      </li>
    ))}
  </ul>
);

interface BesideProps extends Props {
  /** The middles of the labels. */
  ys: readonly number[];
  geometry: Geometry;
  /** The index of the last week. */
  last: number;
}

export const LabelsBeside = ({ labels, ys, geometry, last }: BesideProps) => (
  <>
    <svg
      className={styles['leaders']}
      style={{ left: geometry.xOf(last) }}
      width={geometry.width - geometry.xOf(last) + leaderWidth}
      height={geometry.height}
      aria-hidden="true"
    >
      {labels.map(({ key, at, colour, isTotal }, index) => (
        <path
          key={key}
          d={leader(geometry.width - geometry.xOf(last) + leaderWidth, geometry.yOf(at), ys[index] ?? 0)}
          stroke={isTotal ? 'var(--edge)' : colour}
          fill="none"
        />
      ))}
    </svg>
    <ul className={`${styles['labels']} ${styles['beside']}`} aria-label="Now">
      {labels.map((label, index) => (
        <li key={label.key} style={{ top: (ys[index] ?? 0) - 7, width: nameWidth }}>
          <Label label={label} />
        </li>
      ))}
    </ul>
  </>
);

/** From the last week to the label, level at both ends. */
const leader = (width: number, from: number, to: number) => `M4 ${from}H${width - 20}L${width - 10} ${to}H${width - 4}`;
