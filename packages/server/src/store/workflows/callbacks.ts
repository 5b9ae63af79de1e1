/** Reads callbacks and their versions. callback-versions.ts writes them. */
import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';

/** A callback in one of its versions. */
export interface CallbackRow {
  id: number;
  version: number;
  label: string;
  description: string;
  function: string;
  condition: string;
  /** JSON text, with keys in their original order. */
  callback_arguments: string;
  initial_delay: number;
  run_timeout: number;
  wait_timeout: number;
  retry_for: number;
  retry_first: number;
  state_id: number;
  state_label: string;
  workflow_label: string;
}

const selectVersions = (db: Db) =>
  db
    .selectFrom('callbacks')
    .innerJoin('callback_versions', 'callback_versions.callback_id', 'callbacks.id')
    .innerJoin('states', 'states.id', 'callbacks.state_id')
    .innerJoin('workflows', 'workflows.id', 'states.workflow_id')
    .select(['callbacks.id', 'callbacks.state_id', 'states.label as state_label', 'workflows.label as workflow_label'])
    .select(['callback_versions.version', 'callback_versions.label', 'callback_versions.description'])
    .select(['callback_versions.function', 'callback_versions.condition', 'callback_versions.initial_delay'])
    .select(['callback_versions.run_timeout', 'callback_versions.wait_timeout'])
    .select(['callback_versions.retry_for', 'callback_versions.retry_first'])
    .select(sql<string>`callback_versions.callback_arguments::text`.as('callback_arguments'));

const missing = (id: number) => () => notFound(`callback with id ${id}`);

/** Reads the current version, also of a retired callback, because executions refer to it. */
export const getCallback = (db: Db, id: number): Promise<CallbackRow> =>
  selectVersions(db)
    .where('callbacks.id', '=', id)
    .whereRef('callback_versions.version', '=', 'callbacks.current_version')
    .executeTakeFirstOrThrow(missing(id));

/** Lists callbacks that are not retired. */
export const listCallbacks = (database: Database, page: Page) =>
  readList(
    database,
    database.db
      .selectFrom('callbacks')
      .select(['callbacks.id', 'callbacks.label'])
      .where('callbacks.retired', '=', false),
    { id: 'callbacks.id' },
    page,
  );

/** The new version must be inserted in the same transaction. */
export async function renameCallback(tx: Tx, id: number, label: string): Promise<void> {
  await tx.updateTable('callbacks').set({ label }).where('callbacks.id', '=', id).execute();
}
