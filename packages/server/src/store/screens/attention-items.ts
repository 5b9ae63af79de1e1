/** Reads the items of the attention list by their keys, in at most two statements. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { attentionOf, itemOf, type AttentionKind } from './attention.ts';
import { joinSurroundings, surroundings, type SurroundingsRow } from './experiment-rows.ts';

interface ItemRow extends SurroundingsRow {
  id: number;
  since: string;
  callback: string | null;
  description: string | null;
  last_error: string | null;
  execution_id: number | null;
  attempt: number | null;
  next_attempt_at: string | null;
}

export interface AttentionItem extends ItemRow {
  /** The key in the list. */
  key: number;
  kind: AttentionKind;
  /** The detail of an incident, recorded when it was opened. */
  detail: string;
  incident_id: number | null;
}

/** Returns the items in the order of the keys. */
export async function readAttentionItems(db: Db, keys: readonly number[]): Promise<AttentionItem[]> {
  const items = keys.map((key) => ({ key, ...itemOf(key) }));
  const idsOf = (incidents: boolean) =>
    items.filter(({ kind }) => (kind === 'incident') === incidents).map(({ id }) => id);
  const incidents = byId(await readIncidents(db, idsOf(true)));
  const executions = byId(await readExecutions(db, idsOf(false)));
  return items.flatMap(({ key, kind, id }): AttentionItem[] => {
    if (kind !== 'incident') {
      const row = executions.get(id);
      return row ? [{ ...row, key, kind, detail: '', incident_id: null }] : [];
    }
    const row = incidents.get(id);
    return row ? [{ ...row, key, kind: attentionOf[row.incident_kind], incident_id: id }] : [];
  });
}

const byId = <R extends { id: number }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]));

const ofExecution = sql`
  callback_versions.label as callback, callback_versions.description, one.last_error, one.id as execution_id, one.attempt,
  one.next_attempt_at`;

interface IncidentRow extends ItemRow {
  incident_kind: keyof typeof attentionOf;
  detail: string;
}

async function readIncidents(db: Db, ids: readonly number[]): Promise<IncidentRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<IncidentRow>`
    select incidents.id, incidents.kind as incident_kind, incidents.opened_at as since, incidents.detail,
      ${surroundings}, ${ofExecution}
    from incidents join experiments on experiments.id = incidents.experiment_id ${joinSurroundings}
    left join callback_executions as one on one.id = incidents.execution_id
    left join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where incidents.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

async function readExecutions(db: Db, ids: readonly number[]): Promise<ItemRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ItemRow>`
    select one.id, coalesce(one.wait_start, one.run_start, one.created) as since, ${surroundings}, ${ofExecution}
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    join actions on actions.id = one.action_id
    join experiments on experiments.id = actions.experiment_id ${joinSurroundings}
    where one.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}
