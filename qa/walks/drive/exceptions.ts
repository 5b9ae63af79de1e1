/**
 * Where the engine is known to differ from its law: the walks go around it until the engine is put right. Each entry says
 * what is wrong, and which commands are left out because of it. An empty list is the aim.
 */
import { isDue } from '../model/attempts.ts';
import { sightOf, allExecutions, type Execution, type World } from '../model/world.ts';
import type { Command } from './commands.ts';

interface Exception {
  what: string;
  leavesOut: (command: Command, world: World) => boolean;
}

export const exceptions: Exception[] = [
  {
    what:
      'A claim takes two executions of one experiment whose callbacks have conditions, and one of them does not hold: ' +
      'the other is not started, and its job stays taken.',
    leavesOut: ({ claims }, world) => claims === true && world.experiments.some((one) => isMixed(dueOf(world, one))),
  },
];

const dueOf = (world: World, experiment: Execution['experiment']) =>
  allExecutions(world).filter((one) => one.experiment === experiment && one.attempt === 0 && isDue(one));

function isMixed(due: readonly Execution[]): boolean {
  const conditional = due.filter(({ callback }) => callback.condition.text !== '');
  const verdicts = conditional.map(({ callback, experiment }) =>
    callback.condition.judge({ ...sightOf(experiment), callbacks: {} }),
  );
  return verdicts.includes(true) && verdicts.some((verdict) => verdict !== true);
}

export const isLeftOut = (command: Command, world: World): boolean =>
  exceptions.some(({ leavesOut }) => leavesOut(command, world));
