import { executionOutcome } from '../../status/execution-outcome.ts';
import { outcomeWord } from '../../status/outcome.tsx';
import type { Execution } from './use-execution.ts';

type Reported = Pick<Execution, 'status' | 'result'>;

/** A result that does not count yet, or a result that is missing. Null if the status of the run says everything. */
export function reportedResult({ status, result }: Reported): string | null {
  if (status === 'finished') return result === 'none' ? 'None' : null;
  if (result === 'none') return null;
  const word = outcomeWord(executionOutcome({ status: 'finished', result, next_attempt_at: null }));
  return `${word}. Counts when the run finishes.`;
}
