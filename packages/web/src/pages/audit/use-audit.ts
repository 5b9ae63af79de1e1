/** Pages of history entries that match the filters in the URL, and the last checkpoint and verification. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeKinds } from '@milepost/api';
import { client } from '../../api/client.ts';
import { noEvents, operationQuery, type BodyOf, type QueryOf } from '../../api/operation-query.ts';
import { useFilters } from '../../filters/use-filters.ts';
import { usePermission } from '../../session/session-context.ts';
import { useLinkedPages } from '../../table/use-linked-pages.ts';
import { announceProblem } from '../../ui/announcements.tsx';
import { localDay, startOfDay } from '../../ui/times.ts';

export type Entry = BodyOf<'listAudit'>['entries'][number];
export type Name = BodyOf<'listAudit'>['names'][number];
export type Day = BodyOf<'listAudit'>['days'][number];
export type Filters = Omit<QueryOf<'listAudit'>, 'before' | 'limit' | 'time_zone'>;

const size = 100;

export const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The periods of the filter, in days. */
export const periods = { today: 1, '7d': 7, '30d': 30 } as const;

/** The first day of a period that ends today. */
function firstDay(period: string | undefined): string | undefined {
  const days = periods[period as keyof typeof periods];
  if (days === undefined) return undefined;
  const now = new Date();
  return localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1));
}

/** Leaves out filters that the API would reject. An entry of a link is shown whatever it is. */
export function useAuditFilters(): Filters {
  const { textOf, numberOf } = useFilters();
  if (numberOf('entry') !== undefined) return {};
  const kind = textOf('kind');
  const showsAll = textOf('by') === 'all' || numberOf('person') !== undefined;
  const all = {
    actor: numberOf('person'),
    by: showsAll ? undefined : ('people' as const),
    kind: changeKinds.find((known) => known === kind),
    operation: textOf('operation')?.slice(0, 100),
    experiment_id: numberOf('experiment'),
    subject_id: numberOf('subject'),
    cohort_id: numberOf('cohort'),
    from: startOfDay(textOf('from') ?? firstDay(textOf('period'))),
    to: startOfDay(textOf('to'), 1),
    sign_ins: textOf('sign_ins') === 'shown' || kind === 'sign_in' ? undefined : false,
    parts: textOf('parts') === 'shown' ? undefined : false,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Every event adds an entry, so the list is refreshed only on request. `from` is the first entry to show. */
export const useAudit = (filters: Filters, first?: number) =>
  useLinkedPages({
    query: (before: number | undefined = first === undefined ? undefined : first + 1) =>
      operationQuery(
        'listAudit',
        { query: { ...filters, time_zone: timeZone, limit: size, ...(before === undefined ? {} : { before }) } },
        noEvents,
      ),
    rowsOf: (page) => page.entries.map((entry) => ({ ...entry, page })),
    nextOf: ({ next }) => next ?? undefined,
    filter: JSON.stringify([filters, first]),
  });

const checkpointsQuery = operationQuery('listCheckpoints', { query: { limit: 1 } }, noEvents);

const unfinished = (body: BodyOf<'listCheckpoints'> | undefined) =>
  body?.verification !== null && body?.verification !== undefined && body.verification.finished_at === null;

/** While a verification runs, its progress is shown. */
export const useCheckpoints = () =>
  useQuery({
    ...checkpointsQuery,
    // Users who can read some cohorts only cannot read the checkpoints of the installation.
    enabled: usePermission('audit_read'),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (unfinished(data) ? 2000 : 60_000),
  });

export function useVerify() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.verifyHistory(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: checkpointsQuery.queryKey }),
    onError: announceProblem,
  });
}
