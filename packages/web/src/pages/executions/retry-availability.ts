import type { Execution } from './use-execution.ts';

export type RetryAvailability = { kind: 'none' } | { kind: 'available' } | { kind: 'unavailable'; reason: string };

type RunSummary = Pick<Execution, 'status' | 'result'> & {
  experiment: { state: { id: number } };
  callback: { state: { id: number } };
};

/** Whether the page offers a retry. The server makes the final decision and explains a refusal. */
export function retryAvailability(run: RunSummary, stateTitle: string, mayMove: boolean): RetryAvailability {
  const { status, result, experiment, callback } = run;
  if (status !== 'finished' || result === 'success') return { kind: 'none' };
  if (experiment.state.id !== callback.state.id) {
    return {
      kind: 'unavailable',
      reason: `You cannot retry this run, because the experiment has moved to ${stateTitle}.`,
    };
  }
  if (mayMove) return { kind: 'available' };
  return { kind: 'unavailable', reason: 'To retry this run, you need the permission sample_state_update.' };
}
