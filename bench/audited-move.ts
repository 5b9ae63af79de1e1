/**
 * `npm run bench -- audited-move`: what the index by which the audit finds what somebody did costs a move, by pgbench writing the
 * same rows into two equal databases, in turns, one of which lacks it.
 */
import { readMove } from './counted-move.ts';
import { few, prepare } from './counts.ts';
import { query, withDatabase } from './database.ts';
import { compareScripts, inTurnsWith } from './pgbench.ts';
import { median, rounded, spreadOf, type Row } from './row.ts';

const goal = 1.05;

const elsewhere = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

export const benchAuditedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await prepare(database, few);
    await query(elsewhere(database.ownerUrl, 'postgres'), 'create database without_index template bench');
    await query(elsewhere(database.ownerUrl, 'without_index'), 'drop index history_actor_index');
    const text = await readMove();
    const compare = inTurnsWith(elsewhere(database.appUrl, 'without_index'));
    const ratios = await compareScripts(database.appUrl, { name: 'with', text }, { name: 'without', text }, compare);
    const figure = rounded(median(ratios));
    const unit = 'of the time of one without the index by person';
    return [{ name: 'audited-move', goal, figure, unit, spread: spreadOf(ratios), met: figure <= goal }];
  });
