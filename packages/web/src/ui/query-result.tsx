import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './placeholders.tsx';
import { ProblemNote } from './problem-note.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** The noun after "Loading": `the experiment`. */
  what: string;
  children: (data: T) => ReactNode;
}

/** Shows a query: loading, failed, or its data. If a refetch fails, the data stays below the error. */
export function QueryResult<T>({ query: { data, error, refetch }, what, children }: Props<T>) {
  const note = error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : null;
  if (data === undefined) return note ?? <Loading what={what} />;
  return (
    <>
      {note}
      {children(data)}
    </>
  );
}

/** Shows the first error of several queries. The button refetches all that failed. */
export function QueryErrors({ queries }: { queries: readonly Pick<UseQueryResult, 'error' | 'refetch'>[] }) {
  const failed = queries.filter(({ error }) => error !== null);
  const [first] = failed;
  const retry = () => failed.forEach(({ refetch }) => void refetch());
  return first ? <ProblemNote error={first.error} onRetry={retry} /> : null;
}
