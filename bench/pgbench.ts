/** Runs scripts with pgbench: the bare engine, without our code. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Done } from './sides.ts';

const run = promisify(execFile);
export const scriptConnections = 16;
const rounds = 5;
const seconds = process.env['BENCH_SECONDS'] ?? '10';

/** An SQL script and the name under which its times are printed. */
export interface Script {
  name: string;
  text: string;
}

type Files = readonly [string, string];
type Compare = (url: string, files: Files) => Promise<[number, number]>;

/** The ratio of the times of both scripts in each round, after a warm-up. */
export async function compareScripts(url: string, one: Script, other: Script, compare: Compare): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  const files = [join(folder, 'one.sql'), join(folder, 'other.sql')] as const;
  await writeFile(files[0], one.text);
  await writeFile(files[1], other.text);
  const ratios: number[] = [];
  await compare(url, files);
  for (let round = 1; round <= rounds; round++) {
    const [first, second] = await compare(url, files);
    ratios.push(first / second);
    console.log(`round ${round}: ${first.toFixed(3)} ms ${one.name}, ${second.toFixed(3)} ms ${other.name}`);
  }
  await rm(folder, { recursive: true });
  return ratios;
}

/**
 * The average latency of each when both run at once. Each connection picks one of them at random, so both see the same load.
 * Waiting in the same queue makes the difference look smaller than it is.
 */
export const together: Compare = async (url, [one, other]) => {
  const output = await pgbench(url, ['-T', seconds, '-f', one, '-f', other]);
  const [first = Number.NaN, second = Number.NaN] = [...output.matchAll(/^ - latency average = ([\d.]+) ms/gm)].map(
    ([, ms]) => Number(ms),
  );
  return [first, second];
};

/** The time per transaction of each, run one after the other. */
export const alternately: Compare = (url, files) => alternatelyWith(url)(url, files);

/** Like `alternately`, but the second script runs on another database. */
export const alternatelyWith =
  (otherUrl: string): Compare =>
  async (url, [one, other]) => [await timePerTransaction(url, one), await timePerTransaction(otherUrl, other)];

const timePerTransaction = async (url: string, file: string): Promise<number> =>
  1000 / perSecond(await pgbench(url, ['-T', seconds, '-f', file]));

export interface ScriptRun {
  text: string;
  /** The initial values of its variables. */
  variables: Readonly<Record<string, string | number>>;
  seconds?: number;
  /** Instead of a time: how often each connection runs the script. */
  times?: number;
}

/** Runs a script on 16 connections. */
export async function runScript(url: string, { text, variables, seconds: limit, times }: ScriptRun): Promise<Done> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  const file = join(folder, 'script.sql');
  await writeFile(file, text);
  const given = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const until = times === undefined ? ['-T', String(limit)] : ['-t', String(times)];
  const output = await pgbench(url, [...until, ...given, '-f', file]);
  await rm(folder, { recursive: true });
  const operations = Number(/^number of transactions actually processed: (\d+)/m.exec(output)?.[1]);
  return { operations, seconds: operations / perSecond(output) };
}

const perSecond = (output: string): number => Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);

async function pgbench(url: string, flags: readonly string[]): Promise<string> {
  const program = process.env['PGBENCH'] ?? '/usr/lib/postgresql/15/bin/pgbench';
  const { stdout } = await run(program, [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(scriptConnections),
    '-j',
    '1',
    ...flags,
    url,
  ]);
  return stdout;
}
