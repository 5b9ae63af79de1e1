/** Measures several ways to do the same work, one after the other in each round, so that their ratios do not depend on the machine. */
import { query, type BenchDatabase } from './database.ts';
import { limitOf, measureUse, type Use } from './limit.ts';
import type { Processes } from './cpu.ts';
import { median, rounded } from './result.ts';
import { countStatements } from './statements.ts';

export interface Done {
  operations: number;
  seconds: number;
}

export interface Side {
  name: string;
  /** The processes whose CPU time is measured, besides PostgreSQL. */
  processes: Processes;
  run: (seconds: number) => Promise<Done>;
}

interface Round extends Done {
  use: Use;
}

export interface MeasuredSide {
  side: Side;
  rounds: Round[];
}

export interface Rounds {
  database: BenchDatabase;
  seconds: number;
  rounds: number;
  /** Cleans up before each measurement. */
  settle: () => Promise<void>;
}

const warmUpSeconds = 5;

/** The order changes from round to round. */
export async function alternate<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  options: Rounds,
): Promise<Record<Name, MeasuredSide>> {
  const measured = Object.values<Side>(sides).map((side): MeasuredSide => ({ side, rounds: [] }));
  const seconds = Math.min(warmUpSeconds, options.seconds);
  for (const { side } of measured) await measureSide(side, { ...options, seconds });
  for (let round = 0; round < options.rounds; round++) {
    const first = round % measured.length;
    for (const { side, rounds } of [...measured.slice(first), ...measured.slice(0, first)]) {
      rounds.push(await measureSide(side, options));
    }
    const speeds = measured.map((one) => `${one.side.name} ${ratesOf(one)[round]?.toFixed(0)}/s`);
    console.log(`round ${round + 1}: ${speeds.join(', ')}`);
  }
  const named = Object.keys(sides).map((name, index) => [name, measured[index]]);
  return Object.fromEntries(named) as Record<Name, MeasuredSide>;
}

async function measureSide(side: Side, { database, seconds, settle }: Rounds): Promise<Round> {
  await settle();
  // Each measurement starts after a checkpoint, so that all write the same share of full pages to the log.
  await query(database.ownerUrl, 'vacuum analyze', 'checkpoint');
  const processes = { ...side.processes, PostgreSQL: database.pid };
  const { result, use } = await measureUse(database.ownerUrl, processes, () => side.run(seconds));
  return { ...result, use };
}

const ratesOf = ({ rounds }: MeasuredSide) => rounds.map(({ operations, seconds }) => operations / seconds);

/** The speed of one relative to the other in each round. */
export const compare = (one: MeasuredSide, other: MeasuredSide) => {
  const rates = ratesOf(other);
  return {
    unit: `of ${other.side.name}`,
    rounds: ratesOf(one).map((rate, round) => rate / (rates[round] ?? Number.NaN)),
    byCpu: rounded(cpuOf(other) / cpuOf(one)),
    limit: limitOfSide(one),
  };
};

export const speedOf = (one: MeasuredSide) => ({
  unit: 'per second',
  rounds: ratesOf(one),
  limit: limitOfSide(one),
});

/** Node runs JavaScript in one thread. */
const limitOfSide = ({ rounds }: MeasuredSide) =>
  limitOf(
    rounds.map(({ use }) => use),
    { Node: 1 },
  );

/** Milliseconds of CPU per operation of a part, or of all parts. */
const cpuOf = ({ rounds }: MeasuredSide, part?: string): number =>
  median(
    rounds.map(({ use: { cpu }, operations }) => {
      const seconds = part === undefined ? Object.values(cpu.parts) : [cpu.parts[part] ?? 0];
      return (seconds.reduce((sum, one) => sum + one, 0) * 1000) / operations;
    }),
  );

const countSeconds = 2;

/** CPU time and statements per operation. */
export async function detailOf(measured: MeasuredSide, { database, settle }: Rounds): Promise<Record<string, number>> {
  await settle();
  const counted = await countStatements(database, () => measured.side.run(countSeconds));
  const { operations } = counted.result;
  return {
    'per second': rounded(median(ratesOf(measured))),
    'CPU of Node, ms': rounded(cpuOf(measured, 'Node')),
    'CPU of PostgreSQL, ms': rounded(cpuOf(measured, 'PostgreSQL')),
    'CPU of the load, ms': rounded(cpuOf(measured, 'load')),
    'round trips': rounded(counted.statements.sent / operations),
    'statements, with those of triggers and foreign keys': rounded(counted.statements.all / operations),
  };
}
