/** Decisions are worked through in the order of a list. Its filters are in the URL of the list and of the experiment. */
import { useFilters } from '../../../filters/use-filters.ts';
import { paths } from '../../../paths.ts';

export interface DecisionFilter {
  cohortId?: number | undefined;
  stateId?: number | undefined;
  assignee?: string | undefined;
}

export const assignees = [
  { value: 'me', label: 'Assigned to me' },
  { value: 'nobody', label: 'Unassigned' },
];

/** Unknown values are ignored. */
export function useDecisionFilter(): DecisionFilter {
  const { textOf, numberOf } = useFilters();
  const assignee = textOf('assignee');
  return {
    cohortId: numberOf('cohort'),
    stateId: numberOf('state'),
    assignee: assignees.some(({ value }) => value === assignee) ? assignee : undefined,
  };
}

/** As parameters of the API. */
export const filterQuery = ({ cohortId, stateId, assignee }: DecisionFilter) => ({
  ...(cohortId === undefined ? {} : { cohort_id: cohortId }),
  ...(stateId === undefined ? {} : { state_id: stateId }),
  ...(assignee === undefined ? {} : { assignee }),
});

/** The page of an experiment, with the filters. */
export function useDecisionPath(): (id: number) => string {
  const { cohortId, stateId, assignee } = useDecisionFilter();
  const values = { cohort: cohortId, state: stateId, assignee };
  const search = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return (id) => `${paths.experiment(id)}${search.size === 0 ? '' : `?${search}`}`;
}
