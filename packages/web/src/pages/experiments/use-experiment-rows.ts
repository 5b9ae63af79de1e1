/** The experiments that match the filters, page by page. */
import { operationQuery } from '../../api/operation-query.ts';
import { usePages, type Pages } from '../../table/use-pages.ts';
import { type ExperimentRow, type RowFilters, touchesRows } from './experiment-rows.ts';

export function useExperimentRows(filters: RowFilters): Pages<ExperimentRow> {
  return usePages({
    query: (after, limit) =>
      operationQuery(
        'listExperimentRows',
        { query: { ...filters, limit, ...(after === undefined ? {} : { after }) } },
        touchesRows(filters, { after, limit }),
      ),
    rowsOf: ({ experiments }) => experiments,
    filter: JSON.stringify(filters),
  });
}
