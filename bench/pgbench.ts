/** Two scripts of pgbench against each other, on the same database. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const rounds = 5;
const seconds = process.env['BENCH_SECONDS'] ?? '10';

/** A text of SQL, and what its rows are called. */
export interface Script {
  name: string;
  text: string;
}

type Files = readonly [string, string];
type Compare = (url: string, files: Files) => Promise<[number, number]>;

/** How much longer one takes than the other, in each round; the first warms both up and does not count. */
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
 * What each takes on average, both at once: each connection takes one or the other by chance, so that both meet the same load.
 * They also wait in the same queue, which brings them closer to each other than they are.
 */
export const together: Compare = async (url, [one, other]) => {
  const output = await pgbench(url, ['-f', one, '-f', other]);
  const [first = Number.NaN, second = Number.NaN] = [...output.matchAll(/^ - latency average = ([\d.]+) ms/gm)].map(
    ([, ms]) => Number(ms),
  );
  return [first, second];
};

/** How long the database needs for each, one after the other: the time over how many it did in it. */
export const inTurns: Compare = (url, files) => inTurnsWith(url)(url, files);

/** The same, the other one on a database of its own. */
export const inTurnsWith =
  (otherUrl: string): Compare =>
  async (url, [one, other]) => [await needed(url, one), await needed(otherUrl, other)];

const needed = async (url: string, file: string): Promise<number> =>
  1000 / Number(/^tps = ([\d.]+)/m.exec(await pgbench(url, ['-f', file]))?.[1]);

async function pgbench(url: string, files: readonly string[]): Promise<string> {
  const flags = ['-n', '-M', 'prepared', '-c', '16', '-j', '1', '-T', seconds, ...files, url];
  const { stdout } = await run(process.env['PGBENCH'] ?? '/usr/lib/postgresql/15/bin/pgbench', flags);
  return stdout;
}
