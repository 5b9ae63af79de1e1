/** Callbacks of definitions and their versions. Versions never change, because executions refer to them. */
import type { DefinitionCallback } from '@milepost/definitions';
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { ensureQueues } from '../../jobs/insert-jobs.ts';
import { queueOf } from '../../jobs/queue-names.ts';

export interface VersionValues extends DefinitionCallback {
  position: number;
}

export interface DefinedCallbackRow extends VersionValues {
  id: number;
  state_id: number;
  version: number;
  retired: boolean;
}

/** Lists callbacks in their current version, including retired ones. */
export async function listDefinedCallbacks(db: Db, workflowId: number): Promise<DefinedCallbackRow[]> {
  const { rows } = await sql<DefinedCallbackRow>`
    select callbacks.id, callbacks.state_id, callbacks.label, callbacks.current_version as version, callbacks.retired,
      callback_versions.function, callback_versions.callback_arguments, callback_versions.condition,
      callback_versions.description, callback_versions.initial_delay, callback_versions.run_timeout,
      callback_versions.wait_timeout, callback_versions.retry_for, callback_versions.retry_first,
      callback_versions.variable_map, callback_versions.position
    from states
    join callbacks on callbacks.state_id = states.id
    join callback_versions
      on callback_versions.callback_id = callbacks.id and callback_versions.version = callbacks.current_version
    where states.workflow_id = ${workflowId}
    order by callbacks.id`.execute(db);
  return rows;
}

/** The first versions must be inserted in the same transaction. */
export async function insertCallbacks(
  tx: Tx,
  callbacks: readonly { state_id: number; label: string }[],
): Promise<{ id: number; state_id: number; label: string }[]> {
  if (callbacks.length === 0) return [];
  const { rows } = await sql<{ id: number; state_id: number; label: string }>`
    insert into callbacks (state_id, label)
    select given.state_id, given.label from unnest(
      ${callbacks.map((callback) => callback.state_id)}::bigint[], ${callbacks.map(({ label }) => label)}::text[]
    ) with ordinality as given (state_id, label, place)
    order by given.place
    returning callbacks.id, callbacks.state_id, callbacks.label`.execute(tx);
  return rows;
}

/** Sets the version for new executions, and reactivates retired callbacks. */
export async function updateCallbacks(tx: Tx, callbacks: readonly { id: number; version: number }[]): Promise<void> {
  if (callbacks.length === 0) return;
  await sql`
    update callbacks set current_version = given.version, retired = false
    from unnest(${callbacks.map(({ id }) => id)}::bigint[], ${callbacks.map(({ version }) => version)}::integer[])
      as given (id, version)
    where callbacks.id = given.id`.execute(tx);
}

export type NewVersion = VersionValues & { callback_id: number; version: number };

/** Also creates the queues of their jobs. */
export async function insertCallbackVersions(tx: Tx, revision: number, rows: readonly NewVersion[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <K extends keyof NewVersion>(name: K) => rows.map((row) => row[name]);
  const queues = rows.map((row) => queueOf(row.function, row.callback_arguments));
  await ensureQueues([...new Set(queues)].toSorted()).execute(tx);
  const json = (name: 'callback_arguments' | 'variable_map') => rows.map((row) => JSON.stringify(row[name]));
  await sql`
    insert into callback_versions (callback_id, version, workflow_revision, label, function, queue, callback_arguments,
      condition, description, initial_delay, run_timeout, wait_timeout, retry_for, retry_first, variable_map, position)
    select given.callback_id, given.version, ${revision}, given.label, given.function, given.queue, given.arguments::json,
      given.condition, given.description, given.initial_delay, given.run_timeout, given.wait_timeout,
      given.retry_for, given.retry_first, given.map::jsonb, given.position
    from unnest(
      ${column('callback_id')}::bigint[], ${column('version')}::integer[], ${column('label')}::text[],
      ${column('function')}::text[], ${queues}::text[], ${json('callback_arguments')}::text[], ${column('condition')}::text[],
      ${column('description')}::text[], ${column('initial_delay')}::integer[], ${column('run_timeout')}::integer[],
      ${column('wait_timeout')}::integer[], ${column('retry_for')}::integer[], ${column('retry_first')}::integer[],
      ${json('variable_map')}::text[], ${column('position')}::integer[]
    ) as given (callback_id, version, label, function, queue, arguments, condition, description, initial_delay, run_timeout,
      wait_timeout, retry_for, retry_first, map, position)`.execute(tx);
}
