import { executionOutcome } from '../shown/execution-outcome.ts';
import { Moment } from '../shown/moment.tsx';
import { NameLink } from '../shown/name.tsx';
import { Outcome, type OutcomeName } from '../shown/outcome.tsx';
import { paths } from '../paths.ts';
import { executionWords, isOpen, type TimelineExecution } from './execution-words.ts';
import styles from './execution-line.module.css';

/** The outcomes that show the last error. A successful run can have one, too, from an earlier attempt. */
const showsError: ReadonlySet<OutcomeName> = new Set(['failed', 'timed_out', 'retrying']);

const Since = ({ execution }: { execution: TimelineExecution }) => (
  <>
    {executionWords(execution) === '' ? '' : ' · '}
    {execution.run_start === null ? 'created ' : 'started '}
    <Moment at={execution.run_start ?? execution.created} />
  </>
);

/** One execution with its outcome, and a link to its page. */
export function ExecutionLine({ execution }: { execution: TimelineExecution }) {
  const outcome = executionOutcome(execution);
  const { id, callback, next_attempt_at: next, last_error: error } = execution;
  return (
    <li className={styles['line']}>
      <div className={styles['first']}>
        <Outcome name={outcome} />
        <span className={styles['name']}>
          <NameLink text={callback} to={paths.execution(id)} />
        </span>
        <span className={styles['words']}>
          <bdi>{executionWords(execution)}</bdi>
          {isOpen(execution) ? <Since execution={execution} /> : null}
          {next === null ? null : (
            <>
              {execution.attempt === 0 ? ' · first attempt ' : ' · next attempt '}
              <Moment at={next} />
            </>
          )}
        </span>
      </div>
      {error !== null && showsError.has(outcome) ? (
        <p className={styles['error']} dir="auto">
          {error}
        </p>
      ) : null}
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
