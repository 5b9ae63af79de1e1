/**
 * `npm run bench -- chained-move`: what the chain of the history costs a move, by pgbench writing the same rows with the chained
 * history and with a plain one beside it, in turns; without words, and with some, which are personal and stand beside the
 * chain.
 */
import { readFile } from 'node:fs/promises';
import { readMove } from './counted-move.ts';
import { few, prepare } from './counts.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { compareScripts, inTurns } from './pgbench.ts';
import { median, rounded, spreadOf, type Row } from './row.ts';

const goal = 1.2;

export const benchChainedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await prepare(database, few);
    await query(database.ownerUrl, await readFile(new URL('./plain-history.sql', import.meta.url), 'utf8'));
    const move = await readMove();
    const wordy = replaced(move, `action.id), ''\n`, `action.id), 'Seen and found good'\n`);
    return [await measure(database, 'chained-move', move), await measure(database, 'chained-move, with words', wordy)];
  });

async function measure({ appUrl }: BenchDatabase, name: string, move: string): Promise<Row> {
  const plain = replaced(move, 'insert into history ', 'insert into plain_history ');
  const other = { name: 'plain', text: plain };
  const ratios = await compareScripts(appUrl, { name: 'chained', text: move }, other, inTurns);
  const figure = rounded(median(ratios));
  const unit = 'of the time of one with a plain history';
  return { name, goal, figure, unit, spread: spreadOf(ratios), met: figure <= goal };
}

function replaced(text: string, part: string, other: string): string {
  if (!text.includes(part)) throw new Error(`counted-move.sql has no part ${part}`);
  return text.replace(part, other);
}
