/** Runs one walk. After each command, response and database are compared with the model. */
import type { Walk } from '../generate/steps.ts';
import type { World } from '../model/world.ts';
import { createCalls, type Calls } from './calls.ts';
import { creating, importing, type Command } from './commands.ts';
import { commandsOf } from './commands-of-step.ts';
import { compareResults, compareWorlds } from './compare.ts';
import { definitionOf, type Naming } from './definition.ts';
import { isExcluded } from './exceptions.ts';
import { cleanUp, type Lane } from './lane.ts';
import { observe } from './observe.ts';

/** A difference between server and model, with the commands that led to it. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

interface Walker {
  world: World;
  calls: Calls;
  naming: Naming;
  lane: Lane;
  log: string[];
}

export async function walk(lane: Lane, { workflow, steps }: Walk, count: (what: string) => unknown): Promise<number> {
  const naming = { label: lane.fresh('walk'), queue: lane.fresh('queue') };
  const world: World = { workflow, experiments: [], count };
  const walker: Walker = { world, calls: createCalls(lane, naming), naming, lane, log: [] };
  try {
    await begin(walker);
    let last: Command | undefined;
    for (const step of steps) {
      const commands = step.do === 'report again' ? (last ? [last] : []) : commandsOf(step, world, naming);
      for (const command of commands) {
        if (isExcluded(command)) break;
        await perform(walker, command);
        if (step.do === 'report') last = command;
      }
    }
  } finally {
    await cleanUp(lane, idsOf(world));
  }
  return walker.log.length;
}

async function begin(walker: Walker): Promise<void> {
  const { world, naming } = walker;
  await perform(walker, importing(definitionOf(world.workflow, naming)));
  await perform(walker, creating('e1', world));
}

const idsOf = ({ experiments }: World) => experiments.flatMap(({ id }) => id ?? []);

async function perform({ world, calls, lane, log }: Walker, command: Command): Promise<void> {
  log.push(command.text);
  const expected = command.predict(world);
  const result = await command.perform(calls).catch((error: unknown): never => {
    throw new Disagreement(textOf(log, [`the call failed: ${String(error)}`]), { cause: error });
  });
  const ids = idsOf(world);
  const seen = ids.length === 0 ? [] : await observe(lane.rows, ids);
  const differences = [...compareResults(expected, result), ...compareWorlds(world, seen)];
  if (differences.length > 0) throw new Disagreement(textOf(log, differences));
}

const textOf = (log: readonly string[], differences: readonly string[]) =>
  [...log.map((text, index) => `${index + 1}. ${text}`), ...differences.map((text) => `   ${text}`)].join('\n');
