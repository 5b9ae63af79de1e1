/** The experiments of a cohort or workflow by outcome, as a bar with a legend. */
import type { BodyOf } from '../api/operation-query.ts';
import { count } from '../ui/numbers.ts';
import styles from './progress-bar.module.css';

export type Progress = BodyOf<'getCohortSummary'>['progress'];
type Part = Progress[number];

const words = {
  good: 'Good outcome',
  active: 'Active',
  attention: 'Needs attention',
  bad: 'Bad outcome',
  neutral: 'Other final states',
} as const;

export const partTitle = ({ part, title }: Part): string => title ?? words[part];

const textOf = (progress: Progress) =>
  progress.map((part) => `${partTitle(part)} ${count(part.experiments)}`).join(', ');

export function ProgressBar({ progress, isThin = false }: { progress: Progress; isThin?: boolean }) {
  const text = progress.length === 0 ? 'No experiments' : textOf(progress);
  return (
    <div className={styles['bar']} data-thin={isThin || undefined} role="img" aria-label={text} title={text}>
      {progress.map(({ part, experiments }) => (
        <i key={part} data-part={part} style={{ flexGrow: experiments }} />
      ))}
    </div>
  );
}

/** The colours of the bars in a list, whose titles differ by workflow. */
export const ProgressKey = () => (
  <ul className={styles['legend']} aria-hidden="true">
    {Object.entries(words).map(([part, word]) => (
      <li key={part}>
        <i data-part={part} />
        {word}
      </li>
    ))}
  </ul>
);

export const ProgressLegend = ({ progress }: { progress: Progress }) => (
  <ul className={styles['legend']}>
    {progress.map((part) => (
      <li key={part.part}>
        <i data-part={part.part} aria-hidden="true" />
        {partTitle(part)} <b>{count(part.experiments)}</b>
      </li>
    ))}
  </ul>
);
