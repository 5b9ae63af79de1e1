/** How something went or goes, everywhere with the same sign, word and colour. */
import { Icon } from './icon.tsx';
import styles from './outcome.module.css';

const outcomes = {
  success: 'Success',
  failed: 'Failed',
  timed_out: 'Timed out',
  waiting: 'Waiting',
  blocked: 'Blocked',
  retrying: 'Retrying',
  running: 'Running',
  queued: 'Queued',
  delayed: 'Delayed',
  skipped: 'Skipped',
  none: 'Ended',
} as const;

export type OutcomeName = keyof typeof outcomes;

export const outcomeWord = (name: OutcomeName): string => outcomes[name];

export const Outcome = ({ name }: { name: OutcomeName }) => (
  <span className={styles['outcome']} data-outcome={name}>
    <Icon name={name} />
    {outcomes[name]}
  </span>
);
