/** Reads the history of an experiment, including personal values. */
import { sql } from 'kysely';
import type { Database } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';

const withValues = (part: 'before' | 'after') =>
  sql<Record<string, unknown> | null>`coalesce(${sql.ref(`history.${part}`)} || ${sql.ref(`history_values.${part}`)},
    ${sql.ref(`history.${part}`)})`.as(part);

/** Lists the chain of an experiment. Writers lock the experiment, so ids have the order of the chain. */
export function listExperimentHistory(database: Database, experimentId: number, page: Page) {
  const entries = database.db
    .selectFrom('history')
    .leftJoin('history_values', 'history_values.history_id', 'history.id')
    .select(['history.id', 'history.sequence', 'history.at', 'history.actor_kind', 'history.actor_id'])
    .select(['history.request_id', 'history.operation', 'history.object_kind', 'history.object_id'])
    .select([withValues('before'), withValues('after')])
    .select(sql<string>`coalesce(history_values.reason, history.reason, '')`.as('reason'))
    .select(sql<string>`encode(history.hash, 'hex')`.as('hash'))
    .select(sql<boolean>`history.person is not null and history_values.history_id is null`.as('erased'))
    .where('history.chain', '=', 'experiment');
  return readList(
    database,
    entries,
    { id: 'history.id', parent: { column: 'history.chain_id', id: experimentId } },
    page,
  );
}
