import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemNote } from './problem-note.tsx';

interface Props<T> {
  of: UseQueryResult<T>;
  /** The noun after "Loading": `the experiment`. */
  what: string;
  children: (data: T) => ReactNode;
}

/** Shows a query: loading, failed, or its data. If a refetch fails, the data stays below the error. */
export function Answer<T>({ of: { data, error, refetch }, what, children }: Props<T>) {
  const note = error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : null;
  if (data === undefined) return note ?? <Loading what={what} />;
  return (
    <>
      {note}
      {children(data)}
    </>
  );
}
