/** Reads history entries by their ids for the audit log, in one statement. */
import type { ChangeKind } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { isServiceAccount } from '../people/users.ts';
import { kindOfEntry, type AuditedKind } from './audit-conditions.ts';

export interface AuditRow {
  id: number;
  sequence: number;
  at: string;
  actor_kind: 'user' | 'execution' | 'engine' | 'operator';
  actor_id: number | null;
  actor_name: string;
  actor_is_service_account: boolean;
  kind: ChangeKind;
  request_id: string | null;
  operation: string;
  object_kind: AuditedKind;
  object_id: number;
  object_label: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string;
  hash: string;
  erased: boolean;
  chain: 'experiment' | 'subject' | 'cohort' | 'users' | 'roles' | 'workflows' | 'settings';
  chain_id: number;
}

/** The label of the object, or of the experiment that it belongs to. */
const objectLabel = sql`case history.object_kind
  when 'subject' then (select subjects.label from subjects where subjects.id = history.object_id)
  when 'cohort' then (select cohorts.label from cohorts where cohorts.id = history.object_id)
  when 'workflow' then (select workflows.label from workflows where workflows.id = history.object_id)
  when 'callback' then (select callbacks.label from callbacks where callbacks.id = history.object_id)
  when 'user' then (select users.username from users where users.id = history.object_id)
  when 'role' then (select roles.name from roles where roles.id = history.object_id)
  when 'external_system' then (
    select external_systems.system_name from external_systems where external_systems.id = history.object_id)
  when 'scantype' then (select scantypes.protocol from scantypes where scantypes.id = history.object_id)
  else (select experiments.label from experiments where history.chain = 'experiment' and experiments.id = history.chain_id)
end`;

/** Returns the entries in the order of the ids. */
export async function readAuditEntries(db: Db, ids: readonly number[]): Promise<AuditRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AuditRow>`
    select history.id, history.sequence, history.at, history.actor_kind, history.actor_id, history.request_id,
      history.operation, history.object_kind, history.object_id, history.chain, history.chain_id,
      coalesce(history.before || history_values.before, history.before) as before,
      coalesce(history.after || history_values.after, history.after) as after,
      coalesce(history_values.reason, history.reason, '') as reason, encode(history.hash, 'hex') as hash,
      history.values_hash is not null and history_values.history_id is null as erased,
      coalesce(nullif(users.name, ''), users.username, callback_versions.label, '') as actor_name,
      coalesce(history.actor_kind = 'user' and ${isServiceAccount}, false) as actor_is_service_account,
      ${objectLabel} as object_label, kind.kind
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    join history on history.id = wanted.id
    left join history_values on history_values.history_id = history.id
    left join users on history.actor_kind = 'user' and users.id = history.actor_id
    left join callback_executions as one on history.actor_kind = 'execution' and one.id = history.actor_id
    left join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    cross join lateral (select ${kindOfEntry} as kind from (select history.*) as entry) as kind
    order by wanted.place`.execute(db);
  return rows;
}
