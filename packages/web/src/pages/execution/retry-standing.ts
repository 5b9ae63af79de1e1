import type { Execution } from './use-execution.ts';

export type RetryStanding = { kind: 'none' } | { kind: 'possible' } | { kind: 'refused'; reason: string };

type Judged = Pick<Execution, 'status' | 'result'> & {
  experiment: { state: { id: number; label: string } };
  callback: { state: { id: number } };
};

/** Whether it makes sense to run this again, as far as the page can know; the server has the last word, and says why not. */
export function retryStanding({ status, result, experiment, callback }: Judged, mayMove: boolean): RetryStanding {
  if (status !== 'finished' || result === 'success') return { kind: 'none' };
  if (experiment.state.id !== callback.state.id) {
    return {
      kind: 'refused',
      reason: `Not to be run again: the experiment has moved on to ${experiment.state.label}.`,
    };
  }
  if (mayMove) return { kind: 'possible' };
  return { kind: 'refused', reason: 'Running it again needs the permission sample_state_update.' };
}
