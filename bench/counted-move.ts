/**
 * `npm run bench -- counted-move`: what counting costs a move, by pgbench with and without the two rows that it inserts, both
 * at once on the same connections.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../packages/server/src/database/connection.ts';
import { foldCounts } from '../packages/server/src/store/state-counts.ts';
import { repeat } from '../packages/server/src/work/repeat.ts';
import { few, prepare } from './counts.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { median, rounded, spreadOf, type Row } from './row.ts';

const run = promisify(execFile);
const rounds = 5;
const seconds = process.env['BENCH_SECONDS'] ?? '10';
const goal = 1.05;

export const benchCountedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await prepare(database, few);
    const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
    const ratios = await measureCost(database, await writeScripts(folder));
    await rm(folder, { recursive: true });
    const figure = rounded(median(ratios));
    const shown = { name: 'counted-move', goal, figure, unit: 'of the time of one that is not counted' };
    return [{ ...shown, spread: spreadOf(ratios), met: figure <= goal }];
  });

interface Scripts {
  counted: string;
  uncounted: string;
}

/** The one without is the other without that part, so that nothing else can differ. */
async function writeScripts(folder: string): Promise<Scripts> {
  const text = await readFile(new URL('./counted-move.sql', import.meta.url), 'utf8');
  const without = text.replace(/, counted as \(.*?\n\)(?=, recorded)/s, '');
  if (without === text) throw new Error('counted-move.sql has no part that counts');
  const scripts = { counted: join(folder, 'counted.sql'), uncounted: join(folder, 'uncounted.sql') };
  await writeFile(scripts.counted, text);
  await writeFile(scripts.uncounted, without);
  return scripts;
}

/** What workers do meanwhile is part of the price: sums are folded every 5 s. */
async function measureCost({ appUrl }: BenchDatabase, scripts: Scripts): Promise<number[]> {
  const options = { poolSize: 1, streamPoolSize: 1, streamPauseSeconds: 30, onError: console.error };
  const database = openDatabase({ databaseUrl: appUrl, ...options });
  const folding = repeat(5000, () => foldCounts(database.db), console.error);
  const ratios: number[] = [];
  await latencies(appUrl, scripts);
  for (let round = 1; round <= rounds; round++) {
    const { counted, uncounted } = await latencies(appUrl, scripts);
    ratios.push(counted / uncounted);
    console.log(`round ${round}: ${counted.toFixed(2)} ms counted, ${uncounted.toFixed(2)} ms not`);
  }
  await folding.stop();
  await database.close();
  return ratios;
}

/** On average. Each connection takes one or the other by chance, so that both meet the same load. */
async function latencies(
  url: string,
  { counted, uncounted }: Scripts,
): Promise<{ counted: number; uncounted: number }> {
  const flags = ['-n', '-M', 'prepared', '-c', '16', '-j', '1', '-T', seconds, '-f', counted, '-f', uncounted, url];
  const { stdout } = await run(process.env['PGBENCH'] ?? '/usr/lib/postgresql/15/bin/pgbench', flags);
  const [one = Number.NaN, other = Number.NaN] = [...stdout.matchAll(/^ - latency average = ([\d.]+) ms/gm)].map(
    ([, ms]) => Number(ms),
  );
  return { counted: one, uncounted: other };
}
