/**
 * A long list, page by page: each page is a query of its own, which begins behind the last row of the one before. So an
 * event refetches one page and not all that were scrolled through.
 */
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationQuery } from '../api/operation-query.ts';
import { pageStarts } from './page-starts.ts';

export interface PageSource<Page, Row> {
  /** The page behind a row; undefined: the first. */
  query: (after: number | undefined, limit: number) => OperationQuery<Page>;
  rowsOf: (page: Page) => readonly Row[];
  /** What the list is filtered by, as text: another one begins at the first page. */
  filter: string;
  /** For what time changes and no event tells of: how often it is asked for again. */
  everyMilliseconds?: number;
  /** How many rows a page has. */
  size?: number;
}

export interface Pages<Row, Page = unknown> {
  first: UseQueryResult<Page>;
  rows: Row[];
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Why the next rows did not come, and how to ask for them again. */
  problem: { error: Error; retry: () => void } | undefined;
  loadMore: () => void;
  /** All that match, also those that were not scrolled to. */
  everyRow: () => Promise<Row[]>;
}

const exportSize = 1000;

function useCursors(filter: string) {
  const [state, setState] = useState<{ filter: string; cursors: number[] }>({ filter, cursors: [] });
  const cursors = state.filter === filter ? state.cursors : [];
  return { cursors, add: (cursor: number) => setState({ filter, cursors: [...cursors, cursor] }) };
}

/** A row that has moved from one page to the next, while they were fetched at different moments, is shown once. */
const eachOnce = <Row extends { id: number }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** The first page tells its own. */
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
  const rows = eachOnce(results.flatMap(({ data }) => (data === undefined ? [] : rowsOf(data))));
  const everyRow = async () => {
    const found: Row[] = [];
    for (;;) {
      const page = rowsOf(
        await queryClient.fetchQuery({ ...query(found.at(-1)?.id, exportSize), staleTime: 0, gcTime: 0 }),
      );
      found.push(...page);
      if (page.length < exportSize) return eachOnce(found);
    }
  };
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
    everyRow,
  };
}
