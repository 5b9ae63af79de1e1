/** The figures of the page, with the filters in the URL. One request reads all of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type QueryOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';

export const periods = [4, 12, 26, 52, 104];
const defaultWeeks = 12;

export type InsightFilter = QueryOf<'getInsights'>;

/** Unknown values are ignored. The workflow is the first one if the URL names none. */
export function useInsightFilter(firstWorkflow: number | undefined): InsightFilter | undefined {
  const { textOf, numberOf } = useFilters();
  const workflowId = numberOf('workflow') ?? firstWorkflow;
  const [weeks, cohortId, q] = [numberOf('weeks') ?? 0, numberOf('cohort'), textOf('q')];
  if (workflowId === undefined) return undefined;
  return {
    workflow_id: workflowId,
    weeks: periods.includes(weeks) ? weeks : defaultWeeks,
    ...(cohortId === undefined ? {} : { cohort_id: cohortId }),
    ...(q === undefined ? {} : { q }),
  };
}

/** Workers count events within seconds, so events would refetch figures that have not changed. */
const everyMilliseconds = 60_000;
const everyWhileCounting = 5_000;
/** The server computes the figures of a query from all its experiments. */
const everyWithQuery = 300_000;

export function useInsights(filter: InsightFilter | undefined) {
  return useQuery({
    ...operationQuery('getInsights', { query: filter ?? { workflow_id: 0 } }, noEvents),
    enabled: filter !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (filter?.q !== undefined) return everyWithQuery;
      const isCounting = state.data?.counted.rebuilding === true || state.data?.flow.length === 0;
      return isCounting ? everyWhileCounting : everyMilliseconds;
    },
  });
}
