/**
 * A long list whose pages say themselves where the next one begins: they may be short, or empty, and not be the last. Each
 * is a query of its own, and begins where the one before ends now, also after that was read anew.
 */
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationQuery } from '../api/operation-query.ts';
import { linkedStarts } from './linked-starts.ts';
import type { Pages } from './use-pages.ts';

interface LinkedSource<Page, Row> {
  /** The page behind a key; undefined: the first. */
  query: (start: number | undefined) => OperationQuery<Page>;
  rowsOf: (page: Page) => readonly Row[];
  /** The key of the next page; undefined behind the last. */
  nextOf: (page: Page) => number | undefined;
  /** What the list is filtered by, as text: another one begins at the first page. */
  filter: string;
}

type LinkedPages<Row, Page> = Omit<Pages<Row, Page>, 'everyRow'> & {
  /** Reads all of it anew. */
  refresh: () => void;
};

export function useLinkedPages<Page, Row>(source: LinkedSource<Page, Row>): LinkedPages<Row, Page> {
  const { query, rowsOf, nextOf, filter } = source;
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState({ filter, pages: 1 });
  const number = wanted.filter === filter ? wanted.pages : 1;
  const starts = linkedStarts(number, (start) => {
    const page = queryClient.getQueryData<Page>(query(start).queryKey);
    return page && nextOf(page);
  });
  const results = useQueries({ queries: starts.map((start) => ({ ...query(start), staleTime: 1000 })) });
  const last = results.at(-1);
  const next = last?.data === undefined ? undefined : nextOf(last.data);
  const failed = results.slice(1).find(({ error, data }) => error && data === undefined);
  return {
    first: results[0] as UseQueryResult<Page>,
    rows: results.flatMap(({ data }) => (data === undefined ? [] : rowsOf(data))),
    hasMore: last?.data === undefined || next !== undefined,
    isLoadingMore: number > 1 && last?.isLoading === true,
    problem: failed?.error ? { error: failed.error, retry: () => void failed.refetch() } : undefined,
    loadMore: () => {
      if (next !== undefined) setWanted({ filter, pages: starts.length + 1 });
    },
    refresh: () => {
      setWanted({ filter, pages: 1 });
      void results[0]?.refetch();
    },
  };
}
