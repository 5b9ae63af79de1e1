/**
 * A long list whose pages contain the start of the next one, because a page can be short or empty without being the last.
 * Each page is a query of its own and starts where the previous one ends, even after a refetch.
 */
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationQuery } from '../api/operation-query.ts';
import { linkedStarts } from './page-starts.ts';
import type { Pages } from './use-pages.ts';

interface LinkedSource<Page, Row> {
  /** The page after a key. Undefined for the first page. */
  query: (start: number | undefined) => OperationQuery<Page>;
  rowsOf: (page: Page) => readonly Row[];
  /** The key of the next page. Undefined after the last page. */
  nextOf: (page: Page) => number | undefined;
  /** The filters as text. A change starts again with the first page. */
  filter: string;
}

type LinkedPages<Row, Page> = Pages<Row, Page> & {
  /** Reloads the list from the first page. */
  refresh: () => void;
};

export function useLinkedPages<Page, Row>(source: LinkedSource<Page, Row>): LinkedPages<Row, Page> {
  const { query, rowsOf, nextOf, filter } = source;
  const queryClient = useQueryClient();
  const [requested, setRequested] = useState({ filter, pages: 1 });
  const number = requested.filter === filter ? requested.pages : 1;
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
      if (next !== undefined) setRequested({ filter, pages: starts.length + 1 });
    },
    refresh: () => {
      setRequested({ filter, pages: 1 });
      void results[0]?.refetch();
    },
  };
}
