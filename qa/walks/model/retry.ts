/** Retries (rule 12). */
import { addAction } from './move.ts';
import { getState } from './workflow.ts';
import {
  countedExecutions,
  isSuccessful,
  latest,
  ok,
  openExecutions,
  rejected,
  type Execution,
  type Expected,
  type Experiment,
  type World,
} from './world.ts';

/** POST /experiments/{id}/retry. */
export function retryExperiment(world: World, experiment: Experiment): Expected {
  if (openExecutions(experiment).length > 0) return rejected(409, 'action_open');
  const failed = countedExecutions(experiment).filter((execution) => !isSuccessful(execution));
  return failed.length === 0 ? rejected(409, 'nothing_to_retry') : retry(world, experiment, failed);
}

/** POST /callback_executions/{id}/retry. */
export function retryExecution(world: World, execution: Execution): Expected {
  const { experiment } = execution;
  if (openExecutions(experiment).length > 0) return rejected(409, 'action_open');
  const counts = countedExecutions(experiment).includes(execution);
  if (!counts) {
    world.count('a retry of an outdated execution');
    return rejected(409, 'nothing_to_retry');
  }
  if (latest(experiment).carried.includes(execution)) world.count('a retry of a carried-over execution');
  return retry(world, experiment, [execution]);
}

function retry(world: World, experiment: Experiment, retried: readonly Execution[]): Expected {
  const { source, destination, sequence } = latest(experiment);
  const { callbacks } = getState(world.workflow, experiment.state);
  const defined = callbacks.filter(({ label }) => retried.some(({ callback }) => callback.label === label));
  if (defined.length < retried.length) {
    world.count('a retry of a retired callback');
    return rejected(409, 'callback_retired');
  }
  const carried = countedExecutions(experiment).filter((execution) => !retried.includes(execution));
  world.count(carried.length > 0 ? 'a retry with carried-over executions' : 'a retry of all executions');
  addAction(world, experiment, { source, destination, callbacks: defined, retryOf: sequence, carried });
  return ok();
}
