/** Why a run was skipped. The API says it in three places. */
import type { Execution } from './use-execution.ts';

type Skipped = Pick<Execution, 'cause' | 'run_log' | 'finished'> & {
  action: Pick<Execution['action'], 'end_time' | 'return_value'>;
};

export interface SkipReason {
  text: string;
  /** The action that the experiment moved to. */
  actionId?: number;
}

/** Undefined if it is unknown: a user can report a run as skipped without a reason. */
export function skipReason({ cause, run_log: log, finished, action }: Skipped): SkipReason | undefined {
  if (cause !== null) return { text: cause };
  const unmet = /^Not started: (.+)$/m.exec(log)?.[1];
  if (unmet !== undefined) return { text: `Condition not met: ${unmet}` };
  const actionId = supersededBy(action.return_value);
  // A run that was skipped earlier has another reason.
  if (actionId === undefined || finished !== action.end_time) return undefined;
  return { text: 'The experiment moved before this run started.', actionId };
}

function supersededBy(returnValue: string): number | undefined {
  const id = /^\{"superseded_by"\s*:\s*(\d+)\}$/.exec(returnValue)?.[1];
  return id === undefined ? undefined : Number(id);
}
