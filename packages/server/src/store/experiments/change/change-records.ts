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
}

function rowOf(record: ChangeRecord) {
  const { author, objectKind, objectId, before, after, eventData, reason = '', entersAction = false } = record;
  const object = { objectKind, objectId: objectId ?? 0 };
  const entry = historyRow(author, { ...object, before, after, reason });
  // Result values can be megabytes, so events leave them out.
  const { result_values: _values, ...data } = { ...before, ...after, ...eventData } as Record<string, unknown>;
  const event = eventRow({ ...object, kind: author.operation, data });
  return {
    ...entry,
    object_id: objectId ?? null,
    before,
    after,
    data: JSON.parse(event.data) as object,
    enters: entersAction,
  };
}

export const insertRecordsSql = (records: readonly ChangeRecord[]) => [
  sql`records as materialized (
    select given.*, case when given.enters then jsonb_build_object('action_id', action.id) else '{}' end as more, moved.id,
      moved.cohort_id
    from moved left join action on true
    cross join rows from (json_to_recordset(${JSON.stringify(records.map(rowOf))}::json) as (actor_kind text,
      actor_id bigint, request_id text, operation text, object_kind text, object_id bigint, before jsonb, after jsonb,
      reason text, data jsonb, enters boolean)) with ordinality as given (actor_kind, actor_id, request_id, operation,
      object_kind, object_id, before, after, reason, data, enters, place))`,
  sql`recorded as (
    insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
    select records.actor_kind, records.actor_id, records.request_id, records.operation, records.object_kind,
      coalesce(records.object_id, records.id), records.before, records.after || records.more, records.reason
    from records order by records.place)`,
  sql`announced as (
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select records.operation, records.object_kind, coalesce(records.object_id, records.id), records.cohort_id,
      records.data || records.more
    from records order by records.place)`,
];
