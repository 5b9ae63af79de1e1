/**
 * `npm run bench -- counted-move`: the cost of counting for a move. pgbench writes a move with and without the two count rows,
 * both at once on the same connections.
 */
import { readFile } from 'node:fs/promises';
import { openDatabase } from '../packages/server/src/database/connection.ts';
import { foldCounts } from '../packages/server/src/store/experiments/state-counts.ts';
import { repeat } from '../packages/server/src/work/repeat.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { few, makeLargeStudy } from './large-study.ts';
import { limitOf, measureUse } from './limit.ts';
import { compareScripts, together } from './pgbench.ts';
import { atMost, type Row } from './result.ts';

const goal = 1.05;

export const benchCountedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeLargeStudy(database, few);
    const { result: ratios, use } = await measureUse(database.ownerUrl, { PostgreSQL: database.pid }, () =>
      measureCost(database),
    );
    const unit = 'of the time without counting';
    return [atMost(goal, { name: 'counted-move', unit, rounds: ratios, limit: limitOf([use]) })];
  });

export const readMove = (): Promise<string> => readFile(new URL('./counted-move.sql', import.meta.url), 'utf8');

/** Removes the counting from the same script, so that nothing else differs. */
function withoutCounts(text: string): string {
  const without = text.replace(/, counted as \(.*?\n\)(?=, recorded)/s, '');
  if (without === text) throw new Error('counted-move.sql has no "counted" part');
  return without;
}

/** The work of the workers is part of the cost: they fold the counts every 5 s. */
async function measureCost({ appUrl }: BenchDatabase): Promise<number[]> {
  const options = {
    poolSize: 1,
    streamPoolSize: 1,
    statementSeconds: 5,
    onError: console.error,
  };
  const database = openDatabase({ databaseUrl: appUrl, ...options });
  const folding = repeat(5000, () => foldCounts(database.db), console.error);
  const text = await readMove();
  const other = { name: 'uncounted', text: withoutCounts(text) };
  const ratios = await compareScripts(appUrl, { name: 'counted', text }, other, together);
  await folding.stop();
  await database.close();
  return ratios;
}
