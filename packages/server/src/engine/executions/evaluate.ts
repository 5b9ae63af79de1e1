/**
 * Tries the transitions of an experiment's state again (rule 12), after a variable was corrected or a definition upgraded:
 * rule 4 once more on an ended latest action. Resting and placed states are tried, too.
 */
import { judgeAgain } from '../end-action.ts';
import { settleExperiment, write, type Moving } from '../settle.ts';
import { refuseWhileOpen } from './retry.ts';

export interface Evaluation {
  moved: boolean;
  state: { id: number; label: string };
  /** The latest one. */
  actionId: number;
}

export const evaluateExperiment = (moving: Moving, experimentId: number, reason: string): Promise<Evaluation> =>
  settleExperiment(moving, experimentId, async (seen) => {
    refuseWhileOpen(seen);
    const judged = judgeAgain(moving, seen, reason);
    const { action } = judged;
    const written = await write(moving, seen, judged);
    if (!written) return undefined;
    const { actionId } = written;
    return actionId === null || !action
      ? { moved: false, state: seen.state, actionId: seen.inputs.action_id ?? 0 }
      : { moved: true, state: action.destination, actionId };
  });
