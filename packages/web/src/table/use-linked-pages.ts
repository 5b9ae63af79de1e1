/**
 * A long list whose pages contain the start of the next one, because a page can be short or empty without being the last.
 * Each page is a query of its own and starts where the previous one ends, even after a refetch.
 */
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationQuery } from '../api/operation-query.ts';
import { linkedStarts } from './page-starts.ts';
import { withoutDuplicates, type Pages } from './use-pages.ts';

interface LinkedSource<Page, Row, Start extends number | string> {
  /** The page after a key. Undefined for the first page. */
  query: (start: Start | undefined) => OperationQuery<Page>;
  rowsOf: (page: Page) => readonly Row[];
  /** The key of the next page. Undefined after the last page. */
  nextOf: (page: Page) => Start | undefined;
  /** The filters as text. A change starts again with the first page. */
  filter: string;
  /** The refetch interval of a page, for data that changes without an event. */
  everyMilliseconds?: (page: Page) => number | false;
}

type LinkedPages<Row, Page> = Pages<Row, Page> & {
  /** Whether the first page has all rows. */
  isOnePage: boolean;
  /** Reloads the list from the first page. */
  refresh: () => void;
};

/** The loaded pages, or those of the previous filters until the first page is loaded. */
function useKeptPages<Page>(loaded: readonly Page[], isPending: boolean): readonly Page[] {
  const [kept, setKept] = useState<readonly Page[]>([]);
  const isSame = kept.length === loaded.length && kept.every((page, index) => page === loaded[index]);
  if (!isPending && !isSame) setKept(loaded);
  return isPending ? kept : loaded;
}

export function useLinkedPages<Page, Row extends { id: number }, Start extends number | string>(
  source: LinkedSource<Page, Row, Start>,
): LinkedPages<Row, Page> {
  const { query, rowsOf, nextOf, filter, everyMilliseconds } = source;
  const queryClient = useQueryClient();
  const [requested, setRequested] = useState({ filter, pages: 1 });
  const number = requested.filter === filter ? requested.pages : 1;
  const starts = linkedStarts<Start>(number, (start) => {
    const page = queryClient.getQueryData<Page>(query(start).queryKey);
    return page && nextOf(page);
  });
  const results = useQueries({
    queries: starts.map((start) => ({
      ...query(start),
      staleTime: 1000,
      refetchInterval: ({ state: { data } }: { state: { data?: Page | undefined } }) =>
        data === undefined ? false : (everyMilliseconds?.(data) ?? false),
    })),
  });
  const loaded = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const pages = useKeptPages(loaded, results[0]?.isPending === true);
  const last = results.at(-1);
  const next = last?.data === undefined ? undefined : nextOf(last.data);
  const failed = results.slice(1).find(({ error, data }) => error && data === undefined);
  return {
    first: { ...results[0], data: pages[0] } as UseQueryResult<Page>,
    rows: withoutDuplicates(pages.flatMap(rowsOf)),
    isOnePage: pages.length === 1 && pages.every((page) => nextOf(page) === undefined),
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
