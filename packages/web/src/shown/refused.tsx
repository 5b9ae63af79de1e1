import type { UseQueryResult } from '@tanstack/react-query';
import { ProblemNote } from './problem-note.tsx';

/** Shows the first error of several queries. The button refetches all that failed. */
export function Refused({ among }: { among: readonly Pick<UseQueryResult, 'error' | 'refetch'>[] }) {
  const failed = among.filter(({ error }) => error !== null);
  const [first] = failed;
  const retry = () => failed.forEach(({ refetch }) => void refetch());
  return first ? <ProblemNote error={first.error} onRetry={retry} /> : null;
}
