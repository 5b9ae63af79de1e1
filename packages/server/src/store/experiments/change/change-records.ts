/** SQL for the history entries and events of a change: the same rows that appendHistory and appendEvent write. */
import { sql } from 'kysely';
import { eventRow } from '../../record/events.ts';
import { historyRow, type Author } from '../../record/history.ts';

export interface ChangeRecord {
  author: Author;
  objectKind: 'experiment' | 'callback_execution';
  /** Default: the experiment. */
  objectId?: number;
  before: object | null;
  after: object;
  reason?: string;
  /** Added to the event only. */
  eventData?: object;
  /** Adds the id of the new action. */
  entersAction?: boolean;
  /** Adds the length and a hash of the new result values of the changed execution. */
  hashesValues?: boolean;
}

function rowOf(record: ChangeRecord) {
  const { author, objectKind, objectId, before, after, eventData, reason = '' } = record;
  const { entersAction = false, hashesValues = false } = record;
  const object = { objectKind, objectId: objectId ?? 0 };
  const entry = historyRow(author, { ...object, before, after, reason });
  const event = eventRow({ ...object, kind: author.operation, data: { ...before, ...after, ...eventData } });
  return {
    ...entry,
    object_id: objectId ?? null,
    before,
    after,
    data: JSON.parse(event.data) as object,
    enters: entersAction,
    hashes: hashesValues,
  };
}

/**
 * Result values can be large and are stored with the execution. The history proves them with a hash of their text in PostgreSQL,
 * keyed with the key of the subject: without the key, nobody can check a guess at erased values.
 */
const hashedValues = sql`case when given.hashes then jsonb_build_object('result_values', jsonb_build_object(
  'length', execution.values_length,
  'hash', encode(sha256(personal_key('subject', moved.subject_id) || execution.values_digest), 'hex'))) else '{}' end`;

const hashes = ({ hashesValues = false }: ChangeRecord) => hashesValues;

export const insertRecordsSql = (records: readonly ChangeRecord[]) => [
  sql`records as materialized (
    select given.*, case when given.enters then jsonb_build_object('action_id', action.id) else '{}' end as more, moved.id,
      moved.cohort_id, ${records.some(hashes) ? hashedValues : sql`'{}'::jsonb`} as hashed
    from moved left join action on true${records.some(hashes) ? sql` cross join execution` : sql``}
    cross join rows from (json_to_recordset(${JSON.stringify(records.map(rowOf))}::json) as (actor_kind text,
      actor_id bigint, request_id text, operation text, object_kind text, object_id bigint, before jsonb, after jsonb,
      reason text, data jsonb, enters boolean, hashes boolean)) with ordinality as given (actor_kind, actor_id, request_id, operation,
      object_kind, object_id, before, after, reason, data, enters, hashes, place))`,
  sql`recorded as (
    insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
    select records.actor_kind, records.actor_id, records.request_id, records.operation, records.object_kind,
      coalesce(records.object_id, records.id), records.before, records.after || records.more || records.hashed,
      records.reason
    from records order by records.place)`,
  sql`announced as (
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select records.operation, records.object_kind, coalesce(records.object_id, records.id), records.cohort_id,
      records.data || records.more
    from records order by records.place)`,
];
