import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './loading.tsx';
import { ProblemNote } from './problem-note.tsx';

interface Props<T> {
  of: UseQueryResult<T>;
  /** What is being loaded: `the experiment`. */
  what: string;
  children: (data: T) => ReactNode;
}

/**
 * Loading, refused, or there. What is there stays while it is asked for again, also where that fails: the note then
 * stands above it.
 */
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
