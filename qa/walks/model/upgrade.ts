/** A workflow is imported again ("Importing again" of the law). */
import { enter } from './move.ts';
import { findState, getState, type Workflow } from './workflow.ts';
import { ok, refused, type Expected, type World } from './world.ts';

export interface Upgrade {
  workflow: Workflow;
  stateMap: Record<string, string>;
  /** It says what the living one says. */
  identical: boolean;
}

/** POST /service/import-workflow. Nothing starts for experiments that stay; what is open goes on as it was made. */
export function upgrade(world: World, { workflow, stateMap, identical }: Upgrade): Expected {
  if (identical) return ok({ outcome: 'identical' });
  const homeless = world.experiments.filter(({ state }) => !findState(workflow, state));
  if (homeless.some(({ state }) => stateMap[state] === undefined)) {
    world.met('an upgrade would strand experiments');
    return refused(409, 'would_strand');
  }
  world.workflow = workflow;
  for (const experiment of homeless) {
    world.met('a state_map moves an experiment');
    enter(world, experiment, experiment.state, getState(workflow, stateMap[experiment.state] ?? ''));
  }
  return ok({ outcome: 'changed' });
}
