/** The card of an experiment in the matrix, on hover and on focus. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { concernsShown } from '../../live/live-event.ts';
import { paths } from '../../paths.ts';
import { Outcome } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { markOf } from './matrix-row.ts';
import type { MatrixExperiment } from './use-cohort.ts';
import styles from './matrix.module.css';

const overviewQuery = (id: number) =>
  operationQuery('getExperimentOverview', { params: { id } }, (event) => concernsShown(event, { experiment: { id } }));

/** Where the card fits: it opens downwards and to the right unless the window ends there. */
export interface CardPlace {
  above: boolean;
  alignRight: boolean;
}

interface Props {
  id: string;
  experiment: MatrixExperiment;
  place: CardPlace;
}

export function ExperimentCard({ id, experiment, place }: Props) {
  const { data } = useQuery(overviewQuery(experiment.id));
  const mark = markOf(experiment);
  return (
    <span
      id={id}
      role="group"
      aria-label={`Details of ${experiment.label}`}
      className={styles['card']}
      data-above={place.above || undefined}
      data-align-right={place.alignRight || undefined}
    >
      <bdi className={styles['cardTitle']}>{experiment.label}</bdi>
      <span className={styles['cardState']}>
        <StateChip state={experiment.state} />
        {mark ? <Outcome {...mark} /> : null}
      </span>
      {data ? <Facts overview={data} /> : <span className={styles['loading']}>Loading…</span>}
      <Link className={styles['open']} to={paths.experiment(experiment.id)}>
        Open experiment <Icon name="arrow" size={12} />
      </Link>
    </span>
  );
}

function Facts({ overview }: { overview: BodyOf<'getExperimentOverview'> }) {
  const { entered_at: since, incidents, assignee } = overview;
  const cause = incidents.map(({ cause: said, detail }) => said ?? detail).find((text) => text !== '');
  return (
    <span className={styles['facts']}>
      {since === null ? null : (
        <>
          <span>Since</span>
          <span>
            <Timestamp at={since} as="short" />, <Timestamp at={since} />
          </span>
        </>
      )}
      {cause === undefined ? null : (
        <>
          <span>Cause</span>
          <span dir="auto">{cause}</span>
        </>
      )}
      <span>Assigned to</span>
      <span>{assignee?.name ?? 'Nobody'}</span>
    </span>
  );
}
