/**
 * `npm run bench -- chained-move`: the cost of the hash chain for a move. pgbench alternates between the chained history and a
 * plain one, without a reason and with one, which is personal and stored outside the chain.
 */
import { readFile } from 'node:fs/promises';
import { readMove } from './counted-move.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { few, makeLargeStudy } from './large-study.ts';
import { limitOf, measureUse } from './limit.ts';
import { alternately, compareScripts } from './pgbench.ts';
import { atMost, type Row } from './result.ts';

const goal = 1.2;

export const benchChainedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeLargeStudy(database, few);
    await query(database.ownerUrl, await readFile(new URL('./plain-history.sql', import.meta.url), 'utf8'));
    const move = await readMove();
    const withReason = replaced(move, `action.id), ''\n`, `action.id), 'Reviewed, no findings'\n`);
    return [
      await measure(database, 'chained-move', move),
      await measure(database, 'chained-move, with reason', withReason),
    ];
  });

async function measure({ appUrl, ownerUrl, pid }: BenchDatabase, name: string, move: string): Promise<Row> {
  const plain = replaced(move, 'insert into history ', 'insert into plain_history ');
  const other = { name: 'plain', text: plain };
  const { result: ratios, use } = await measureUse(ownerUrl, { PostgreSQL: pid }, () =>
    compareScripts(appUrl, { name: 'chained', text: move }, other, alternately),
  );
  const unit = 'of the time with a plain history';
  return atMost(goal, { name, unit, rounds: ratios, limit: limitOf([use]) });
}

function replaced(text: string, part: string, other: string): string {
  if (!text.includes(part)) throw new Error(`counted-move.sql does not contain "${part}"`);
  return text.replace(part, other);
}
