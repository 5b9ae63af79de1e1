/**
 * `npm run bench -- audited-move`: the cost of the audit index on actors for a move. pgbench alternates between two identical
 * databases, one of them without the index.
 */
import { readMove } from './counted-move.ts';
import { query, withDatabase } from './database.ts';
import { few, makeLargeStudy } from './large-study.ts';
import { limitOf, measureUse } from './limit.ts';
import { alternatelyWith, compareScripts } from './pgbench.ts';
import { atMost, type Row } from './result.ts';

const goal = 1.05;

const urlOfDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

export const benchAuditedMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeLargeStudy(database, few);
    await query(urlOfDatabase(database.ownerUrl, 'postgres'), 'create database without_index template bench');
    await query(urlOfDatabase(database.ownerUrl, 'without_index'), 'drop index history_actor_index');
    const text = await readMove();
    const compare = alternatelyWith(urlOfDatabase(database.appUrl, 'without_index'));
    const { result: ratios, use } = await measureUse(database.ownerUrl, { PostgreSQL: database.pid }, () =>
      compareScripts(database.appUrl, { name: 'with', text }, { name: 'without', text }, compare),
    );
    const unit = 'of the time without the actor index';
    return [atMost(goal, { name: 'audited-move', unit, rounds: ratios, limit: limitOf([use]) })];
  });
