/** The counts at the end of a past day, which no event changes. */
import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type BodyOf } from '../../api/operation-query.ts';

export type PastCounts = BodyOf<'getPastWorkflowCounts'>;

/** Without a day, nothing is read. The counts of the day before stay until those of the new one are loaded. */
export function usePastCounts(id: number, cohortId: number | undefined, at: string | undefined) {
  const query = { at: at ?? '', ...(cohortId === undefined ? {} : { cohort_id: cohortId }) };
  return useQuery({
    ...operationQuery('getPastWorkflowCounts', { params: { id }, query }, noEvents),
    enabled: at !== undefined,
    staleTime: 60_000,
    placeholderData: (before: PastCounts | undefined) =>
      before?.cohort_id === (cohortId ?? null) && before.workflow.id === id ? before : undefined,
  });
}

/** Rows beyond the limit are later weeks, so the first week is always read. */
const historyQuery = (id: number) =>
  operationQuery(
    'listInsightFlow',
    { query: { workflow_id: id, weeks: 53, limit: 1000 }, fields: 'flow{week,entered,experiments}' },
    noEvents,
  );

export const useHistory = (id: number) => useQuery({ ...historyQuery(id), staleTime: 600_000 });
