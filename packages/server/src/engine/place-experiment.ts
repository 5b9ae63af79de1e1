/**
 * Places an experiment in a state, whatever the transitions say: a correction by somebody who may (behaviour of
 * corrections: docs/decisions/0007). It is a move like any other, along a transition that exists for corrections only;
 * without callbacks its action ends at once, and nothing moves by itself.
 */
import { notFound } from '../errors.ts';
import { getCorrection } from '../store/corrections.ts';
import { enter, recordOf } from './change-state.ts';
import { settleExperiment, write, type Moving } from './settle.ts';

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
  await settleExperiment(moving, experimentId, async (seen) => {
    const { inputs, model, state } = seen;
    const destination = model.statesByLabel.get(stateLabel);
    if (!destination) throw notFound(`state with the label "${stateLabel}" in the workflow ${model.label}`);
    const transitionId = await getCorrection(moving.db, model.id, state.id, destination.id);
    const entering = enter(moving.author, inputs, { transitionId, destination });
    const action = {
      ...entering,
      ...(runCallbacks ? {} : { callbacks: [], end: placedEnd }),
      freetext: reason,
    };
    return write(moving, seen, { action, incidents: {}, records: [recordOf(moving.author, inputs, action)] });
  });
}
