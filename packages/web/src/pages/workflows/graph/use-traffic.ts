/** The traffic of a workflow, of the cohort in the URL. */
import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery } from '../../../api/operation-query.ts';
import { useFilters } from '../../../filters/use-filters.ts';
import { trafficOf, trafficWeeks, type Traffic } from './traffic.ts';

/** Undefined until it is loaded, and if it cannot be: the graph is complete without it. */
export function useTraffic(workflowId: number): Traffic | undefined {
  const cohortId = useFilters().numberOf('cohort');
  const query = {
    workflow_id: workflowId,
    weeks: trafficWeeks,
    ...(cohortId === undefined ? {} : { cohort_id: cohortId }),
  };
  const { data } = useQuery({
    ...operationQuery('getInsights', { query, fields: 'traffic' }, noEvents),
    staleTime: 300_000,
    retry: false,
  });
  return data && trafficOf(data.traffic);
}
