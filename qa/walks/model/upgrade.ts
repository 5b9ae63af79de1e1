/** A repeated import of a workflow. */
import { enter } from './move.ts';
import { findState, getState, type Workflow } from './workflow.ts';
import { ok, rejected, type Expected, type World } from './world.ts';

export interface Upgrade {
  workflow: Workflow;
  stateMap: Record<string, string>;
  /** Whether the definition equals the current one. */
  identical: boolean;
}

/** POST /service/import-workflow. Nothing starts for experiments that stay, and open executions keep their callback version. */
export function upgrade(world: World, { workflow, stateMap, identical }: Upgrade): Expected {
  if (identical) return ok({ outcome: 'identical' });
  const affected = world.experiments.filter(({ state }) => !findState(workflow, state));
  if (affected.some(({ state }) => stateMap[state] === undefined)) {
    world.count('an upgrade would strand experiments');
    return rejected(409, 'would_strand');
  }
  world.workflow = workflow;
  for (const experiment of affected) {
    world.count('a state_map moves an experiment');
    enter(world, experiment, experiment.state, getState(workflow, stateMap[experiment.state] ?? ''), true);
  }
  return ok({ outcome: 'changed' });
}
