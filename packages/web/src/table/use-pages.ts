/**
 * A long list, page by page. Each page is a query of its own that starts after the last row of the previous one, so that an
 * event refetches one page and not all loaded ones.
 */
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationQuery } from '../api/operation-query.ts';
import { pageStarts } from './page-starts.ts';

export interface PageSource<Page, Row> {
  /** The page after a row. Undefined for the first page. */
  query: (after: number | undefined, limit: number) => OperationQuery<Page>;
  rowsOf: (page: Page) => readonly Row[];
  /** The filters as text. A change starts again with the first page. */
  filter: string;
  /** The refetch interval, for data that changes with time and without an event. */
  everyMilliseconds?: number | ((query: { state: { data: Page | undefined } }) => number);
  /** The number of rows of a page. */
  size?: number;
  /** Tells rows apart. Without it, the id does. */
  keyOf?: (row: Row) => string | number;
}

export interface Pages<Row, Page = unknown> {
  first: UseQueryResult<Page>;
  rows: Row[];
  hasMore: boolean;
  isLoadingMore: boolean;
  /** The error of a later page, with a function to retry. */
  problem: { error: Error; retry: () => void } | undefined;
  loadMore: () => void;
}

function useCursors(filter: string) {
  const [state, setState] = useState<{ filter: string; cursors: number[] }>({ filter, cursors: [] });
  const cursors = state.filter === filter ? state.cursors : [];
  return { cursors, add: (cursor: number) => setState({ filter, cursors: [...cursors, cursor] }) };
}

/** Pages are fetched at different times, so a row can be in two of them. */
export const withoutDuplicates = <Row extends { id: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number = ({ id }) => id,
): Row[] => [...new Map(rows.map((row) => [keyOf(row), row])).values()];

/** `first` reports the error of the first page. */
function problemOf(results: readonly UseQueryResult[]): Pages<unknown>['problem'] {
  const failed = results.find(({ error, data }) => error && data === undefined);
  return failed?.error ? { error: failed.error, retry: () => void failed.refetch() } : undefined;
}

export function usePages<Page, Row extends { id: number }>(source: PageSource<Page, Row>): Pages<Row, Page> {
  const { query, rowsOf, filter, size = 100, everyMilliseconds = false } = source;
  const queryClient = useQueryClient();
  const { cursors, add } = useCursors(filter);
  const idsOf = (start: number | undefined) => {
    const page = queryClient.getQueryData<Page>(query(start, size).queryKey);
    return page && rowsOf(page).map(({ id }) => id);
  };
  const results = useQueries({
    queries: pageStarts(cursors, idsOf, size).map((start) => ({
      ...query(start, size),
      refetchInterval: everyMilliseconds,
    })),
  });
  const last = results.at(-1);
  const lastRows = last?.data === undefined ? undefined : rowsOf(last.data);
  const rows = withoutDuplicates(
    results.flatMap(({ data }) => (data === undefined ? [] : rowsOf(data))),
    source.keyOf,
  );
  return {
    first: results[0] as UseQueryResult<Page>,
    rows,
    hasMore: lastRows === undefined || lastRows.length === size,
    isLoadingMore: cursors.length > 0 && last?.isLoading === true,
    problem: problemOf(results.slice(1)),
    loadMore: () => {
      const end = lastRows?.at(-1);
      if (end) add(end.id);
    },
  };
}
