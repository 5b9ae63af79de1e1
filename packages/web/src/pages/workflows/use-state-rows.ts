/** The first experiments of a state. */
import { useQueries } from '@tanstack/react-query';
import { operationQuery } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';
import { touchesRows, type RowFilters } from '../experiments/experiment-rows.ts';

export const shownRows = 10;

const ofCohort = (cohortId: number | undefined) => (cohortId === undefined ? {} : { cohort_id: cohortId });

export const decisionsQuery = (stateId: number, cohortId: number | undefined) =>
  operationQuery(
    'listAttention',
    {
      query: { kind: 'decide', state_id: stateId, limit: shownRows, ...ofCohort(cohortId) },
      fields: 'items{id,experiment,cohort,what,since,due_at,overdue}',
    },
    (event) => event.experiment_id !== null || changesParentOrLabel(event),
  );

/** Those with incidents first. Each part has enough rows for the table. */
export function useStateRows(stateId: number, cohortId: number | undefined) {
  const part = (incident: 'any' | 'none') => {
    const filters: RowFilters = { state_id: stateId, incident, ...ofCohort(cohortId) };
    const range = { after: undefined, limit: shownRows };
    return operationQuery(
      'listExperimentRows',
      { query: { ...filters, limit: shownRows } },
      touchesRows(filters, range),
    );
  };
  const [problems, others] = useQueries({ queries: [part('any'), part('none')] });
  const all = new Map([problems, others].flatMap(({ data }) => data?.experiments ?? []).map((row) => [row.id, row]));
  const isComplete = problems.data !== undefined && others.data !== undefined;
  return { rows: isComplete ? [...all.values()].slice(0, shownRows) : undefined, queries: [problems, others] };
}
