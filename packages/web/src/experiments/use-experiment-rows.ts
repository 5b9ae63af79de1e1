/** Experiments that match some filters, page by page. */
import { operationQuery, type BodyOf, type Touches } from '../api/operation-query.ts';
import { isInPage } from '../table/in-page.ts';
import { usePages, type Pages } from '../table/use-pages.ts';
import type { ExperimentRow, RowFilters } from './experiment-row.ts';

type RowsPage = BodyOf<'listExperimentRows'>;

/**
 * Pages are ordered by id, so that a change of an experiment concerns the page in whose range its id falls; where they are
 * ordered by label, as one filters by it, any page.
 */
const touchesPage =
  (filters: RowFilters, after: number | undefined, limit: number): Touches =>
  ({ experiment_id, cohort_id, workflow_id }, data) =>
    experiment_id !== null &&
    (filters.label !== undefined ||
      isInPage(experiment_id, { after, limit }, (data as RowsPage | undefined)?.experiments)) &&
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
        touchesPage(filters, after, limit),
      ),
    rowsOf: ({ experiments }) => experiments,
    filter: JSON.stringify(filters),
  });
}
