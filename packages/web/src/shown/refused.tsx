import type { UseQueryResult } from '@tanstack/react-query';
import { ProblemNote } from './problem-note.tsx';

/** Of several answers, why the first that was refused was; the button asks for all of those again. */
export function Refused({ among }: { among: readonly Pick<UseQueryResult, 'error' | 'refetch'>[] }) {
  const refused = among.filter(({ error }) => error !== null);
  const [first] = refused;
  const askAgain = () => refused.forEach(({ refetch }) => void refetch());
  return first ? <ProblemNote error={first.error} onRetry={askAgain} /> : null;
}
