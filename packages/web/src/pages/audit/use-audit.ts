/** Pages of history entries that match the filters in the URL, and the latest checkpoint. */
import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type BodyOf, type QueryOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { startOfDay } from '../../ui/times.ts';
import { kinds, type Kind } from './kinds.ts';

export type Entry = BodyOf<'listAudit'>['entries'][number];
type Filters = Omit<QueryOf<'listAudit'>, 'before' | 'limit'>;

const size = 100;

/** Leaves out filters that the API would reject. */
export function useAuditFilters(): Filters {
  const { textOf, numberOf } = useFilters();
  const kind = textOf('kind');
  const all = {
    actor: numberOf('person'),
    object_kind: kind !== undefined && kind in kinds ? (kind as Kind) : undefined,
    operation: textOf('operation')?.slice(0, 100),
    experiment_id: numberOf('experiment'),
    subject_id: numberOf('subject'),
    cohort_id: numberOf('cohort'),
    from: startOfDay(textOf('from')),
    to: startOfDay(textOf('to'), 1),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Every event adds an entry, so the list is refreshed only on request. */
export const useAudit = (filters: Filters) =>
  useLinkedPages({
    query: (before: number | undefined) =>
      operationQuery(
        'listAudit',
        { query: { ...filters, limit: size, ...(before === undefined ? {} : { before }) } },
        noEvents,
      ),
    rowsOf: ({ entries }) => entries,
    nextOf: ({ next }) => next ?? undefined,
    filter: JSON.stringify(filters),
  });

const checkpointsQuery = operationQuery('listCheckpoints', { query: { limit: 1 } }, noEvents);

export const useCheckpoints = () => useQuery({ ...checkpointsQuery, staleTime: 0, refetchInterval: 60_000 });
