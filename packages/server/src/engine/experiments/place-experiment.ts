/**
 * Corrects the state of an experiment, whatever its transitions are. The correction is a move along a transition that exists for
 * corrections only. Unless the callbacks of the state run, its action ends at once and the engine does not move the experiment.
 */
import { Problem } from '../../errors.ts';
import { getCorrection } from '../../store/experiments/corrections.ts';
import { enter, recordOf, stateNotFound } from './change-state.ts';
import { commitChange, rejectLocked, withExperiment, type EngineContext } from './optimistic-lock.ts';

export interface Correction {
  experimentId: number;
  stateLabel: string;
  reason: string;
  runCallbacks: boolean;
}

const placedEnd = { success: true, returnValue: 'Corrected without callbacks' };

export async function placeExperiment(
  context: EngineContext,
  { experimentId, stateLabel, reason, runCallbacks }: Correction,
): Promise<void> {
  await withExperiment(context, experimentId, async (snapshot) => {
    const { inputs, model, state } = snapshot;
    const destination = model.statesByLabel.get(stateLabel);
    if (!destination) throw new Problem('not_found', stateNotFound(stateLabel, model));
    const correction = await getCorrection(context.db, model.id, state.id, destination.id);
    const transitionId = rejectLocked(context, model.id, correction);
    if (transitionId === undefined) return undefined;
    const entering = enter(context.author, inputs, { transitionId, destination });
    const action = {
      ...entering,
      ...(runCallbacks ? {} : { callbacks: [], end: placedEnd }),
      freetext: reason,
    };
    return commitChange(context, snapshot, {
      action,
      incidents: {},
      records: [recordOf(context.author, inputs, action)],
    });
  });
}
