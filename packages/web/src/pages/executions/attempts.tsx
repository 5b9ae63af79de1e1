import { elapsedText } from '../../status/execution-text.ts';
import { MutedText } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { Attempt } from './use-execution.ts';
import styles from './execution.module.css';

/** The newest first. */
export const Attempts = ({ attempts, isOpen }: { attempts: readonly Attempt[]; isOpen: boolean }) =>
  attempts.length === 0 ? (
    <MutedText>{isOpen ? 'No attempts yet.' : 'No attempts.'}</MutedText>
  ) : (
    <ol className={styles['attempts']}>
      {attempts.toReversed().map((attempt) => (
        <li key={attempt.attempt}>
          <div className={styles['attempt']}>
            <b>Attempt {attempt.attempt}</b>
            <span>{attempt.ended_at === null ? 'running' : elapsedText(attempt.started_at, attempt.ended_at)}</span>
            <Timestamp at={attempt.started_at} as="exact" />
          </div>
          <p className={styles['worker']}>
            <bdi>{attempt.worker}</bdi>
          </p>
          {attempt.error === null ? null : (
            <p className={styles['fault']} dir="auto">
              {attempt.error}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
