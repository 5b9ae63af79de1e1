import { Link } from 'react-router';
import { elapsedWords } from '../../executions/execution-words.ts';
import { executionOutcome } from '../../shown/execution-outcome.ts';
import { Facts } from '../../shown/facts.tsx';
import { Moment } from '../../shown/moment.tsx';
import { Outcome } from '../../shown/outcome.tsx';
import { Section } from '../../shown/section.tsx';
import { StateChip } from '../../shown/state-chip.tsx';
import { countOf } from '../../shown/numbers.ts';
import { paths } from '../../paths.ts';
import type { Execution } from './use-execution.ts';
import styles from './execution.module.css';

const moment = (at: string | null) => (at === null ? null : <Moment at={at} as="short" />);
const minutes = (limit: number) => (limit === 0 ? null : countOf(limit, 'minute'));

export function ExecutionFacts({ execution, worker }: { execution: Execution; worker: string }) {
  const { id, attempt, created, wait_start, run_start, finished, next_attempt_at, action, callback } = execution;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['Status', <Outcome key="status" name={executionOutcome(execution)} />],
          ['State', <StateChip key="state" state={callback.state} />],
          ['Function', <bdi key="function">{callback.function}</bdi>],
          ['Condition', callback.condition === '' ? null : <code dir="ltr">{callback.condition}</code>],
          ['Attempts', attempt === 0 ? 'None yet' : String(attempt)],
          ['Worker', worker === '' ? null : <bdi>{worker}</bdi>],
          ['Created', moment(created)],
          ['Started', moment(run_start)],
          ['Waiting since', finished === null ? moment(wait_start) : null],
          ['Finished', moment(finished)],
          ['Duration', run_start !== null && finished !== null ? elapsedWords(run_start, finished) : null],
          ['Next attempt', next_attempt_at === null ? null : <Moment at={next_attempt_at} />],
          ['Run timeout', minutes(callback.run_timeout)],
          ['Wait timeout', minutes(callback.wait_timeout)],
          ['Initial delay', callback.initial_delay === 0 ? null : countOf(callback.initial_delay, 'second')],
          ['Action', <ActionLink key="action" id={action.id} />],
          ['ID', String(id)],
        ]}
      />
    </Section>
  );
}

const ActionLink = ({ id }: { id: number }) => (
  <Link className={styles['link']} to={paths.action(id)}>
    Action {id}
  </Link>
);
