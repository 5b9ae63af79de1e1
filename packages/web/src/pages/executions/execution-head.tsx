import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { useCohortPermission } from '../../session/session-context.ts';
import { Cause } from '../../status/cause.tsx';
import { executionOutcome } from '../../status/execution-outcome.ts';
import { Outcome } from '../../status/outcome.tsx';
import { useStateLook } from '../../status/use-state-look.tsx';
import { Breadcrumbs } from '../../ui/page-layout.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { retryAvailability } from './retry-availability.ts';
import { RetryRun } from './retry-run.tsx';
import { skipReason } from './skip-reason.ts';
import type { Execution } from './use-execution.ts';
import styles from './execution.module.css';

export const ExecutionHead = ({ execution }: { execution: Execution }) => (
  <header className={styles['top']}>
    <div className={styles['words']}>
      <Breadcrumbs crumbs={crumbsOf(execution)} />
      <div className={styles['title']}>
        <h1>
          <bdi>{execution.callback.label}</bdi>
        </h1>
        <Status execution={execution} />
      </div>
      {execution.callback.description === '' ? null : <p dir="auto">{execution.callback.description}</p>}
    </div>
    <Actions execution={execution} />
    {execution.status === 'skipped' ? <WhySkipped execution={execution} /> : <WhyFailed execution={execution} />}
  </header>
);

const crumbsOf = ({ cohort, subject, experiment }: Execution) => [
  { label: cohort.label, to: paths.cohort(cohort.id) },
  { label: subject.label, to: paths.subject(subject.id) },
  { label: experiment.label, to: paths.experiment(experiment.id) },
];

const Status = ({ execution }: { execution: Execution }) => (
  <span>
    <Outcome name={executionOutcome(execution)} />{' '}
    <Timestamp at={execution.finished ?? execution.wait_start ?? execution.run_start ?? execution.created} />
  </span>
);

function WhyFailed({ execution }: { execution: Execution }) {
  const { cause, last_error: error } = execution;
  if (error === null && cause === null) return null;
  if (executionOutcome(execution) === 'success') return null;
  return (
    <div className={styles['error']}>
      <Cause cause={cause} error={error} />
    </div>
  );
}

function WhySkipped({ execution }: { execution: Execution }) {
  const reason = skipReason(execution);
  if (reason === undefined) return null;
  return (
    <p className={styles['note']} dir="auto">
      {reason.text}
      {reason.actionId === undefined ? null : (
        <>
          {' '}
          <Link className={styles['link']} to={paths.action(reason.actionId)}>
            View the next action
          </Link>
        </>
      )}
    </p>
  );
}

function Actions({ execution }: { execution: Execution }) {
  const mayMove = useCohortPermission(execution.cohort, 'sample_state_update');
  const { title } = useStateLook(execution.experiment.state);
  const retry = retryAvailability(execution, title, mayMove);
  if (retry.kind === 'none') return null;
  if (retry.kind === 'unavailable') return <p className={styles['why']}>{retry.reason}</p>;
  return <RetryRun execution={execution} />;
}
