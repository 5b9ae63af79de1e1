/**
 * `npm run bench -- counted-move`: what counting costs a move, by pgbench with and without the two rows that it inserts, both
 * at once on the same connections.
 */
import { readFile } from 'node:fs/promises';
import { openDatabase } from '../packages/server/src/database/connection.ts';
import { foldCounts } from '../packages/server/src/store/state-counts.ts';
import { repeat } from '../packages/server/src/work/repeat.ts';
import { few, prepare } from './counts.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { compareScripts, together } from './pgbench.ts';
import { median, rounded, spreadOf, type Row } from './row.ts';

const goal = 1.05;

export const benchCountedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await prepare(database, few);
    const ratios = await measureCost(database);
    const figure = rounded(median(ratios));
    const shown = { name: 'counted-move', goal, figure, unit: 'of the time of one that is not counted' };
    return [{ ...shown, spread: spreadOf(ratios), met: figure <= goal }];
  });

export const readMove = (): Promise<string> => readFile(new URL('./counted-move.sql', import.meta.url), 'utf8');

/** The one without is the other without that part, so that nothing else can differ. */
function withoutCounts(text: string): string {
  const without = text.replace(/, counted as \(.*?\n\)(?=, recorded)/s, '');
  if (without === text) throw new Error('counted-move.sql has no part that counts');
  return without;
}

/** What workers do meanwhile is part of the price: sums are folded every 5 s. */
async function measureCost({ appUrl }: BenchDatabase): Promise<number[]> {
  const options = { poolSize: 1, streamPoolSize: 1, streamPauseSeconds: 30, onError: console.error };
  const database = openDatabase({ databaseUrl: appUrl, ...options });
  const folding = repeat(5000, () => foldCounts(database.db), console.error);
  const text = await readMove();
  const other = { name: 'not', text: withoutCounts(text) };
  const ratios = await compareScripts(appUrl, { name: 'counted', text }, other, together);
  await folding.stop();
  await database.close();
  return ratios;
}
