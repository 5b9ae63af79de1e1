import { Link } from 'react-router';
import { incidentOutcome } from '../../shown/incident-outcome.ts';
import { Moment } from '../../shown/moment.tsx';
import { Outcome } from '../../shown/outcome.tsx';
import { paths } from '../../paths.ts';
import { useMayIn } from '../../session/session-context.ts';
import type { TimelineAction } from '../../executions/execution-words.ts';
import { remedyFor } from './remedy.ts';
import type { Overview } from './use-experiment.ts';
import styles from './experiment.module.css';

type Incident = Overview['incidents'][number];

/** What helps, where the button does not say it by itself. */
const advice: Readonly<Partial<Record<Incident['kind'], string>>> = {
  no_way_on: 'Where it can go says what each way waits for. Once that is put right, try the ways again.',
  brake: 'When the circle in the workflow is mended, try the ways again.',
  unclaimed: 'It goes on by itself as soon as a worker takes it: see that one for its queue runs.',
};

interface Props {
  experiment: Overview;
  /** How it came here, as far as it is known yet. */
  actions: readonly TimelineAction[];
}

const errorOf = ({ execution_id }: Incident, actions: readonly TimelineAction[]) =>
  actions.flatMap(({ executions }) => executions).find(({ id }) => id === execution_id)?.last_error ?? null;

/** What needs somebody, in plain words. */
export const Incidents = ({ experiment, actions }: Props) =>
  experiment.incidents.length === 0 ? null : (
    <ul aria-label="What needs somebody" className={styles['incidents']}>
      {experiment.incidents.map((incident) => (
        <Told key={incident.id} incident={incident} error={errorOf(incident, actions)} />
      ))}
      <Refused experiment={experiment} />
    </ul>
  );

const Told = ({ incident, error }: { incident: Incident; error: string | null }) => {
  const { kind, detail, opened_at, execution_id } = incident;
  return (
    <li className={styles['incident']} data-kind={kind}>
      <div>
        <Outcome name={incidentOutcome(kind)} /> <Moment at={opened_at} />
      </div>
      <p className={styles['what']} dir="auto">
        {detail}
      </p>
      {error === null ? null : (
        <p className={styles['quiet']} dir="auto">
          {error}
        </p>
      )}
      {advice[kind] === undefined ? null : <p className={styles['quiet']}>{advice[kind]}</p>}
      {execution_id === null ? null : (
        <Link className={styles['link']} to={paths.execution(execution_id)}>
          Read the run
        </Link>
      )}
    </li>
  );
};

/** Why there is no button for it. */
function Refused({ experiment }: { experiment: Overview }) {
  const mayMove = useMayIn(experiment.cohort, 'sample_state_update');
  const remedy = remedyFor(experiment);
  if (mayMove || !remedy) return null;
  return (
    <li className={styles['quiet']}>
      “{remedy.name}” needs the permission <code>sample_state_update</code>, which none of your roles has.
    </li>
  );
}
