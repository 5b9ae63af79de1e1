import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './placeholders.tsx';
import { ProblemNote } from './problem-note.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** The noun after "Loading": `the experiment`. */
  what: string;
  /** For pages with filters in the URL, which can name objects that no longer exist. */
  onClearFilters?: (() => void) | undefined;
  children: (data: T) => ReactNode;
}

/** Shows a query: loading, failed, or its data. If a refetch fails, the data stays below the error. */
export function QueryResult<T>({ query: { data, error, refetch }, what, onClearFilters, children }: Props<T>) {
  const note = error ? (
    <ProblemNote error={error} onRetry={() => void refetch()} onClearFilters={onClearFilters} />
  ) : null;
  if (data === undefined) return note ?? <Loading what={what} />;
  return (
    <>
      {note}
      {children(data)}
    </>
  );
}

interface ErrorsProps {
  queries: readonly Pick<UseQueryResult, 'error' | 'refetch'>[];
  onClearFilters?: (() => void) | undefined;
}

/** Shows the first error of several queries. The button refetches all that failed. */
export function QueryErrors({ queries, onClearFilters }: ErrorsProps) {
  const failed = queries.filter(({ error }) => error !== null);
  const [first] = failed;
  const retry = () => failed.forEach(({ refetch }) => void refetch());
  return first ? <ProblemNote error={first.error} onRetry={retry} onClearFilters={onClearFilters} /> : null;
}
