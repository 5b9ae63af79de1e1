/** Experiments that match some filters, page by page. */
import { operationQuery, type Touches } from '../api/operation-query.ts';
import { usePages, type Pages } from '../table/use-pages.ts';
import type { ExperimentRow, RowFilters } from './experiment-row.ts';

/**
 * Pages are ordered by id, so that a change of an experiment concerns the page in whose range its id falls; where they are
 * ordered by label, as one filters by it, any page.
 */
const touchesPage =
  (filters: RowFilters, after: number | undefined): Touches =>
  ({ experiment_id, cohort_id, workflow_id }) =>
    experiment_id !== null &&
    (filters.label !== undefined || experiment_id > (after ?? 0)) &&
    mayMatch(filters.cohort_id, cohort_id) &&
    mayMatch(filters.workflow_id, workflow_id);

/** What an event does not name may be anything. */
const mayMatch = (wanted: number | undefined, named: number | null) =>
  wanted === undefined || named === null || wanted === named;

export function useExperimentRows(filters: RowFilters): Pages<ExperimentRow> {
  return usePages({
    query: (after, limit) =>
      operationQuery(
        'listExperimentRows',
        { query: { ...filters, limit, ...(after === undefined ? {} : { after }) } },
        touchesPage(filters, after),
      ),
    rowsOf: ({ experiments }) => experiments,
    filter: JSON.stringify(filters),
  });
}
