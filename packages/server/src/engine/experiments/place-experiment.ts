/**
 * Corrects the state of an experiment, whatever its transitions are. The correction is a move along a transition that exists for
 * corrections only. Unless the callbacks of the state run, its action ends at once and the engine does not move the experiment.
 */
import { Problem } from '../../errors.ts';
import { getCorrection } from '../../store/experiments/corrections.ts';
import { enter, recordOf, stateNotFound } from './change-state.ts';
import {
  commitChange,
  rejectLocked,
  withExperiment,
  type EngineContext,
  type Snapshot,
  type SnapshotChange,
} from './optimistic-lock.ts';
import type { StateModel, WorkflowModel } from './workflow-model.ts';

export interface Correction {
  experimentId: number;
  stateLabel: string;
  reason: string;
  runCallbacks: boolean;
}

export const placedEnd = { success: true, returnValue: 'Corrected without callbacks' };

export async function placeExperiment(
  context: EngineContext,
  { experimentId, ...correction }: Correction,
): Promise<void> {
  await withExperiment(context, experimentId, async (snapshot) => {
    const { model, state } = snapshot;
    const destination = destinationOf(model, correction.stateLabel);
    const found = await getCorrection(context.db, model.id, state.id, destination.id);
    const transitionId = rejectLocked(context, model.id, found);
    if (transitionId === undefined) return undefined;
    return commitChange(
      context,
      snapshot,
      planPlacing(context, snapshot, { ...correction, destination, transitionId }),
    );
  });
}

export function destinationOf(model: WorkflowModel, stateLabel: string): StateModel {
  const destination = model.statesByLabel.get(stateLabel);
  if (!destination) throw new Problem('not_found', stateNotFound(stateLabel, model));
  return destination;
}

interface Placing extends Omit<Correction, 'experimentId' | 'stateLabel'> {
  transitionId: number;
  destination: StateModel;
}

export function planPlacing(
  { author }: EngineContext,
  { inputs }: Snapshot,
  { transitionId, destination, reason, runCallbacks }: Placing,
): SnapshotChange {
  const entering = enter(author, inputs, { transitionId, destination });
  const action = { ...entering, ...(runCallbacks ? {} : { callbacks: [], end: placedEnd }), freetext: reason };
  return { action, incidents: {}, records: [recordOf(author, inputs, action)] };
}
