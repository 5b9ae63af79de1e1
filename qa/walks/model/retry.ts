/** Retries (rule 12). */
import { act } from './move.ts';
import { getState } from './workflow.ts';
import {
  counting,
  isWell,
  latest,
  ok,
  openOf,
  refused,
  type Execution,
  type Expected,
  type Experiment,
  type World,
} from './world.ts';

/** POST /experiments/{id}/retry. */
export function retryExperiment(world: World, experiment: Experiment): Expected {
  if (openOf(experiment).length > 0) return refused(409, 'action_open');
  const failed = counting(experiment).filter((execution) => !isWell(execution));
  return failed.length === 0 ? refused(409, 'nothing_to_retry') : retry(world, experiment, failed);
}

/** POST /callback_executions/{id}/retry. */
export function retryExecution(world: World, execution: Execution): Expected {
  const { experiment } = execution;
  if (openOf(experiment).length > 0) return refused(409, 'action_open');
  const counts = counting(experiment).includes(execution);
  if (!counts) {
    world.met('a retry of what counts no more');
    return refused(409, 'nothing_to_retry');
  }
  if (latest(experiment).carried.includes(execution)) world.met('a retry of a carried-over execution');
  return retry(world, experiment, [execution]);
}

function retry(world: World, experiment: Experiment, renewed: readonly Execution[]): Expected {
  const { source, destination, sequence } = latest(experiment);
  const { callbacks } = getState(world.workflow, experiment.state);
  const living = callbacks.filter(({ label }) => renewed.some(({ callback }) => callback.label === label));
  if (living.length < renewed.length) {
    world.met('a retry of a retired callback');
    return refused(409, 'callback_retired');
  }
  const carried = counting(experiment).filter((execution) => !renewed.includes(execution));
  world.met(carried.length > 0 ? 'a retry with carry-over' : 'a retry of everything');
  act(world, experiment, { source, destination, callbacks: living, retryOf: sequence, carried });
  return ok();
}
