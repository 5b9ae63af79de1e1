import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { executionOutcome } from '../../status/execution-outcome.ts';
import { elapsedText, isOpen } from '../../status/execution-text.ts';
import { Outcome } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { countOf } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { reportedResult } from './reported-result.ts';
import type { Execution } from './use-execution.ts';
import styles from './execution.module.css';

const time = (at: string | null) => (at === null ? null : <Timestamp at={at} as="exact" />);
const retries = ({ retry_for: limit, retry_first: first }: Execution['callback']) =>
  limit === 0 ? 'None' : `For ${countOf(limit, 'minute')}, first after ${countOf(first, 'second')}`;
const minutes = (limit: number) => (limit === 0 ? null : countOf(limit, 'minute'));

const noAttempts = (execution: Pick<Execution, 'status'>) => (isOpen(execution) ? 'None yet' : 'None');

export function ExecutionDetails({ execution, worker }: { execution: Execution; worker: string }) {
  const { id, attempt, created, wait_start, run_start, finished, next_attempt_at, action, callback } = execution;
  return (
    <Section title="Details">
      <DescriptionList
        items={[
          ['Status', <Outcome key="status" name={executionOutcome(execution)} />],
          ['Reported result', reportedResult(execution)],
          ['State', <StateChip key="state" state={callback.state} />],
          ['Function', <bdi key="function">{callback.function}</bdi>],
          ['Condition', callback.condition === '' ? null : <code dir="ltr">{callback.condition}</code>],
          ['Attempts', attempt === 0 ? noAttempts(execution) : String(attempt)],
          ['Worker', worker === '' ? null : <bdi>{worker}</bdi>],
          ['Created', time(created)],
          ['Started', time(run_start)],
          ['Waiting since', finished === null ? time(wait_start) : null],
          ['Finished', time(finished)],
          ['Duration', run_start !== null && finished !== null ? elapsedText(run_start, finished) : null],
          ['Next attempt', next_attempt_at === null ? null : <Timestamp at={next_attempt_at} as="until" />],
          ['Run timeout', minutes(callback.run_timeout)],
          ['Wait timeout', minutes(callback.wait_timeout)],
          ['Retries', retries(callback)],
          ['Initial delay', callback.initial_delay === 0 ? null : countOf(callback.initial_delay, 'second')],
          ['Action', <ActionLink key="action" id={action.id} />],
          ['ID', <Id key="id" id={id} />],
        ]}
      />
    </Section>
  );
}

const Id = ({ id }: { id: number }) => (
  <span className={styles['id']}>
    {id} <CopyButton what="ID" text={String(id)} />
  </span>
);

const ActionLink = ({ id }: { id: number }) => (
  <Link className={styles['link']} to={paths.action(id)}>
    View action
  </Link>
);
