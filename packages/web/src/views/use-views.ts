/** Saved views, and the number of experiments that each finds. */
import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type BodyOf } from '../api/operation-query.ts';
import { searchParams } from '../pages/experiments/use-search.ts';
import { paths } from '../paths.ts';

export type View = BodyOf<'listViews'>['views'][number];

/** No event announces the views of others. */
export const viewsQuery = { ...operationQuery('listViews', {}, noEvents), staleTime: 30_000, refetchInterval: 60_000 };

/** Counting takes some time for the server, so it does not follow each event. */
export const viewCountsQuery = {
  ...operationQuery('getViewCounts', {}, noEvents),
  staleTime: 30_000,
  refetchInterval: 60_000,
};

export function useViews(): View[] {
  return useQuery(viewsQuery).data?.views ?? [];
}

/** The page of experiments with the query, order and columns of a view. */
export function viewPath({ id, query, sort, columns }: View): string {
  const params = searchParams({ q: query, columns, sort });
  params.set('view', String(id));
  return `${paths.experiments}?${params.toString()}`;
}
