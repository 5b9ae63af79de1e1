/** The outcome of a run, with the same icon, word and colour everywhere. */
import { Icon } from '../ui/icon.tsx';
import styles from './outcome.module.css';

const outcomes = {
  success: 'Succeeded',
  failed: 'Failed',
  decide: 'To decide',
  timed_out: 'Timed out',
  waiting: 'Waiting',
  blocked: 'Blocked',
  retrying: 'Retrying',
  running: 'Running',
  queued: 'Queued',
  delayed: 'Delayed',
  skipped: 'Skipped',
  none: 'Finished',
} as const;

export type OutcomeName = keyof typeof outcomes;

export const outcomeWord = (name: OutcomeName): string => outcomes[name];

interface Props {
  name: OutcomeName;
  /** A more specific word. */
  word?: string;
}

export const Outcome = ({ name, word = outcomes[name] }: Props) => (
  <span className={styles['outcome']} data-outcome={name}>
    <Icon name={name} />
    {word}
  </span>
);
