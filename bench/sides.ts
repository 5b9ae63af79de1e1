/** Measures several ways to do the same work, one after the other in each round, so that their ratios do not depend on the machine. */
import { query, type BenchDatabase } from './database.ts';
import { limitOf, measureUse, type Use } from './limit.ts';
import { median, rounded } from './result.ts';
import { countStatements } from './statements.ts';

export interface Done {
  operations: number;
  seconds: number;
}

export interface Side {
  name: string;
  /** Prepares a run. Not measured. */
  open?: (size: number) => Promise<void>;
  /** The size is a time in seconds or a number of operations. */
  run: (size: number) => Promise<Done>;
  /** Cleans up between two runs. */
  settle?: () => Promise<void>;
  close?: () => Promise<void>;
  /** The Node processes whose CPU time is measured. */
  nodes: () => readonly number[];
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
  rounds: number;
  /** The size of each run. */
  size: number;
  /** The size of a run before each measurement. 0: none. */
  warmUp: number;
  /** The size of the run whose statements are counted. */
  counted: number;
}

/** The order changes from round to round. */
export async function alternate<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  options: Rounds,
): Promise<Record<Name, MeasuredSide>> {
  const measured = Object.values<Side>(sides).map((side): MeasuredSide => ({ side, rounds: [] }));
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

const measureSide = (side: Side, { database, size, warmUp }: Rounds): Promise<Round> =>
  whileOpen(side, size + warmUp, async () => {
    await query(database.ownerUrl, 'vacuum analyze');
    // New statistics make each connection plan its statements again.
    if (warmUp > 0) await side.run(warmUp);
    await side.settle?.();
    // All measurements start after a checkpoint and write the same share of full pages to the log.
    await query(database.ownerUrl, 'checkpoint');
    const processes = { Node: side.nodes(), PostgreSQL: database.pid };
    const { result, use } = await measureUse(database.ownerUrl, processes, () => side.run(size));
    return { ...result, use };
  });

export async function whileOpen<T>(side: Side, size: number, use: () => Promise<T>): Promise<T> {
  await side.open?.(size);
  try {
    return await use();
  } finally {
    await side.close?.();
  }
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

const limitOfSide = ({ rounds }: MeasuredSide) => limitOf(rounds.map(({ use }) => use));

/** Milliseconds of CPU per operation of a part, or of all parts. */
const cpuOf = ({ rounds }: MeasuredSide, part?: string): number =>
  median(
    rounds.map(({ use: { cpu }, operations }) => {
      const seconds = part === undefined ? Object.values(cpu.parts) : [cpu.parts[part] ?? 0];
      return (seconds.reduce((sum, one) => sum + one, 0) * 1000) / operations;
    }),
  );

/** CPU time and statements per operation. */
export async function detailOf(measured: MeasuredSide, options: Rounds): Promise<Record<string, number>> {
  const { database, counted: size, warmUp } = options;
  const { side } = measured;
  const counted = await whileOpen(side, size + warmUp, async () => {
    // Connections that were idle for long are replaced, and new ones plan their statements several times.
    if (warmUp > 0) await side.run(warmUp);
    await side.settle?.();
    return countStatements(database, () => side.run(size));
  });
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
