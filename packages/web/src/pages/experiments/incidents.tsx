import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { useCohortPermission } from '../../session/session-context.ts';
import type { TimelineAction } from '../../status/execution-text.ts';
import { Cause } from '../../status/cause.tsx';
import { incidentOutcome } from '../../status/incident-outcome.ts';
import { Outcome } from '../../status/outcome.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { remedyFor } from './remedy.ts';
import type { Overview } from './use-experiment.ts';
import styles from './experiment.module.css';

type Incident = Overview['incidents'][number];

/** What to do, if the button alone does not make it clear. */
const advice: Readonly<Partial<Record<Incident['kind'], string>>> = {
  no_way_on: '“Next states” shows what each transition requires. Fix the cause, then re-evaluate.',
  brake: 'Fix the loop in the workflow, then re-evaluate.',
};

interface Props {
  experiment: Overview;
  /** The loaded part of the timeline. */
  actions: readonly TimelineAction[];
}

const errorOf = ({ execution_id }: Incident, actions: readonly TimelineAction[]) =>
  actions.flatMap(({ executions }) => executions).find(({ id }) => id === execution_id)?.last_error ?? null;

export const Incidents = ({ experiment, actions }: Props) =>
  experiment.incidents.length === 0 ? null : (
    <ul aria-label="Needs attention" className={styles['incidents']}>
      {experiment.incidents.map((incident) => (
        <IncidentItem key={incident.id} incident={incident} error={errorOf(incident, actions)} />
      ))}
      <MissingPermission experiment={experiment} />
    </ul>
  );

const IncidentItem = ({ incident, error }: { incident: Incident; error: string | null }) => {
  const { kind, cause, detail, opened_at, execution_id } = incident;
  return (
    <li className={styles['incident']} data-kind={kind}>
      <div>
        <Outcome name={incidentOutcome(kind)} /> <Timestamp at={opened_at} />
      </div>
      {kind === 'failed' || kind === 'timed_out' ? <Cause cause={cause} error={error} /> : null}
      <p className={cause === null ? styles['what'] : styles['quiet']} dir="auto">
        {detail}
      </p>
      {advice[kind] === undefined ? null : <p className={styles['quiet']}>{advice[kind]}</p>}
      {execution_id === null ? null : (
        <Link className={styles['link']} to={paths.execution(execution_id)}>
          View run
        </Link>
      )}
    </li>
  );
};

/** Explains why there is no button. */
function MissingPermission({ experiment }: { experiment: Overview }) {
  const mayMove = useCohortPermission(experiment.cohort, 'sample_state_update');
  const remedy = remedyFor(experiment);
  if (mayMove || !remedy) return null;
  return (
    <li className={styles['quiet']}>
      To {remedy.operation === 'retry' ? 'retry' : 're-evaluate'}, you need the permission{' '}
      <code>sample_state_update</code>.
    </li>
  );
}
