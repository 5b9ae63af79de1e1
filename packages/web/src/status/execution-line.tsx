import { paths } from '../paths.ts';
import { NameLink } from '../ui/name.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { Cause } from './cause.tsx';
import { executionOutcome } from './execution-outcome.ts';
import { executionText, isOpen, type TimelineExecution } from './execution-text.ts';
import { Outcome, type OutcomeName } from './outcome.tsx';
import styles from './execution-line.module.css';

/** The outcomes that show the cause, or why a run was skipped. A successful run can have an error, too, from an earlier attempt. */
const showsError: ReadonlySet<OutcomeName> = new Set(['failed', 'timed_out', 'retrying', 'skipped']);

const Since = ({ execution }: { execution: TimelineExecution }) => (
  <>
    {executionText(execution) === '' ? '' : ' · '}
    {execution.run_start === null ? 'created ' : 'started '}
    <Timestamp at={execution.run_start ?? execution.created} />
  </>
);

/** One execution with its outcome, and a link to its page. */
export function ExecutionLine({ execution }: { execution: TimelineExecution }) {
  const outcome = executionOutcome(execution);
  const { id, callback, next_attempt_at: next, cause, last_error: error } = execution;
  return (
    <li className={styles['line']}>
      <div className={styles['first']}>
        <Outcome name={outcome} />
        <span className={styles['name']}>
          <NameLink text={callback} to={paths.execution(id)} />
        </span>
        <span className={styles['words']}>
          <bdi>{executionText(execution)}</bdi>
          {isOpen(execution) ? <Since execution={execution} /> : null}
          {next === null ? null : (
            <>
              {execution.attempt === 0 ? ' · first attempt ' : ' · next attempt '}
              <Timestamp at={next} as="until" />
            </>
          )}
        </span>
      </div>
      {showsError.has(outcome) ? <Cause cause={cause} error={error} /> : null}
    </li>
  );
}

interface LinesProps {
  executions: readonly TimelineExecution[];
  /** Without borders, for use inside another element. */
  inside?: boolean;
}

export const ExecutionLines = ({ executions, inside = false }: LinesProps) => (
  <ul className={styles['lines']} data-inside={inside || undefined}>
    {executions.map((execution) => (
      <ExecutionLine key={execution.id} execution={execution} />
    ))}
  </ul>
);
