/**
 * Places an experiment in a state, whatever the transitions say: a correction by somebody who may (behaviour of
 * corrections: docs/decisions/0007). It is a move like any other, along a transition that exists for corrections only;
 * without callbacks its action ends at once, and nothing moves by itself.
 */
import { notFound } from '../errors.ts';
import { getCorrection, writeMove } from '../store/moves.ts';
import { openExecutions, restingEnd, untilSettled, type Moving } from './change-state.ts';

export interface Placement {
  experimentId: number;
  stateLabel: string;
  reason: string;
  runCallbacks: boolean;
}

const placedEnd = { success: true, returnValue: 'Placed without callbacks' };

export async function placeExperiment(
  moving: Moving,
  { experimentId, stateLabel, reason, runCallbacks }: Placement,
): Promise<void> {
  await untilSettled(moving, experimentId, async (inputs, model, state) => {
    const destination = model.statesByLabel.get(stateLabel);
    if (!destination) throw notFound(`state with the label "${stateLabel}" in the workflow ${model.label}`);
    const transitionId = await getCorrection(moving.db, model.id, state.id, destination.id);
    const callbacks = runCallbacks ? destination.callbacks : [];
    return writeMove(moving.db, moving.author, {
      experimentId,
      version: inputs.version,
      workflowId: model.id,
      revision: model.revision,
      transitionId,
      destination,
      from: inputs.state_label,
      callbacks,
      end: callbacks.length > 0 ? undefined : runCallbacks ? restingEnd : placedEnd,
      leftActionId: openExecutions(inputs).length > 0 ? (inputs.action_id ?? undefined) : undefined,
      freetext: reason,
    });
  });
}
