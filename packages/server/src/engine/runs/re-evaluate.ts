/**
 * Evaluates the transitions of an experiment's state again, for example after a variable was corrected or the workflow was
 * upgraded. The latest action must have ended. This includes states without callbacks and corrected states.
 */
import { reevaluate } from '../experiments/end-action.ts';
import { commitChange, withExperiment, type EngineContext, type Snapshot } from '../experiments/optimistic-lock.ts';
import { rejectWhileOpen } from './retry.ts';

export interface Evaluation {
  moved: boolean;
  state: { id: number; label: string };
  /** The latest action. */
  actionId: number;
}

/** Undefined on a conflict with another change. */
export async function planEvaluation(context: EngineContext, snapshot: Snapshot, reason: string) {
  rejectWhileOpen(snapshot);
  return reevaluate(context, snapshot, reason);
}

export const evaluateExperiment = (context: EngineContext, experimentId: number, reason: string): Promise<Evaluation> =>
  withExperiment(context, experimentId, async (snapshot) => {
    const change = await planEvaluation(context, snapshot, reason);
    if (!change) return undefined;
    const { action } = change;
    const written = await commitChange(context, snapshot, change);
    if (!written) return undefined;
    const { actionId } = written;
    return actionId === null || !action
      ? { moved: false, state: snapshot.state, actionId: snapshot.inputs.action_id ?? 0 }
      : { moved: true, state: action.destination, actionId };
  });
