/** Bulk operations: the rules for one experiment, for each of several. */
import { evaluate } from './end-action.ts';
import { move, place } from './move.ts';
import { retryExperiment } from './retry.ts';
import { latest, type Expected, type Experiment, type World } from './world.ts';

export interface BulkRequest {
  kind: 'move' | 'place' | 'retry' | 'evaluate';
  state: string;
  runCallbacks: boolean;
}

/** POST /bulk_operations, and the workers that check and apply it. */
export function changeAll(world: World, experiments: readonly Experiment[], request: BulkRequest): Expected {
  const results = experiments.map((experiment) => changeOne(world, experiment, request));
  const isMixed = new Set(results).size > 1;
  world.count(`a bulk ${request.kind}${isMixed ? ' that is refused for some experiments' : ''}`);
  return { status: 201, shows: { results } };
}

/** Its new action is part of a bulk move. */
function changeOne(world: World, experiment: Experiment, request: BulkRequest): string {
  const before = experiment.actions.length;
  const { code } = single(world, experiment, request);
  if (experiment.actions.length > before) latest(experiment).bulk = true;
  return code ?? 'done';
}

function single(world: World, experiment: Experiment, { kind, state, runCallbacks }: BulkRequest): Expected {
  if (kind === 'move') return move(world, experiment, { state, expected: undefined });
  if (kind === 'place') return place(world, experiment, state, runCallbacks);
  return kind === 'retry' ? retryExperiment(world, experiment) : evaluate(world, experiment);
}
