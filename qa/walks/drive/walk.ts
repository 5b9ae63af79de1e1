/** Walks one walk: after each command the answer and everything behind it are held against the model. */
import type { Walk } from '../generate/steps.ts';
import type { World } from '../model/world.ts';
import { createCalls, type Calls } from './calls.ts';
import { creating, importing, type Command } from './commands.ts';
import { commandsOf } from './commands-of-step.ts';
import { compareAnswers, compareWorlds } from './compare.ts';
import { definitionOf, type Naming } from './definition.ts';
import { isLeftOut } from './exceptions.ts';
import { cleanUp, type Lane } from './lane.ts';
import { observe } from './observe.ts';

/** Where server and model disagree, with the way there. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

interface Walker {
  world: World;
  calls: Calls;
  naming: Naming;
  lane: Lane;
  told: string[];
}

export async function walk(lane: Lane, { workflow, steps }: Walk, met: (what: string) => unknown): Promise<number> {
  const naming = { label: lane.fresh('walk'), queue: lane.fresh('queue') };
  const world: World = { workflow, experiments: [], met };
  const walker: Walker = { world, calls: createCalls(lane, naming), naming, lane, told: [] };
  try {
    await begin(walker);
    let last: Command | undefined;
    for (const step of steps) {
      const commands = step.do === 'report again' ? (last ? [last] : []) : commandsOf(step, world, naming);
      for (const command of commands) {
        if (isLeftOut(command)) break;
        await perform(walker, command);
        if (step.do === 'report') last = command;
      }
    }
  } finally {
    await cleanUp(lane, idsOf(world));
  }
  return walker.told.length;
}

async function begin(walker: Walker): Promise<void> {
  const { world, naming } = walker;
  await perform(walker, importing(definitionOf(world.workflow, naming)));
  await perform(walker, creating('e1', world));
}

const idsOf = ({ experiments }: World) => experiments.flatMap(({ id }) => id ?? []);

async function perform({ world, calls, lane, told }: Walker, command: Command): Promise<void> {
  told.push(command.text);
  const expected = command.foretell(world);
  const answered = await command.perform(calls).catch((error: unknown): never => {
    throw new Disagreement(inWords(told, [`it ended in ${String(error)}`]), { cause: error });
  });
  const ids = idsOf(world);
  const seen = ids.length === 0 ? [] : await observe(lane.rows, ids);
  const differences = [...compareAnswers(expected, answered), ...compareWorlds(world, seen)];
  if (differences.length > 0) throw new Disagreement(inWords(told, differences));
}

const inWords = (told: readonly string[], differences: readonly string[]) =>
  [...told.map((text, index) => `${index + 1}. ${text}`), ...differences.map((sentence) => `   but ${sentence}`)].join(
    '\n',
  );
