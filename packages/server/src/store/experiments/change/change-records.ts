/** SQL for the history entries and events of changes: the same rows that appendHistory and appendEvents write. */
import { sql, type RawBuilder } from 'kysely';
import { rowsOf, type Columns } from '../../../database/given-rows.ts';
import type { Bind } from '../../../database/prepare.ts';
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
  /** Added to the history only. */
  unannounced?: object;
  /** The replaced values of these. */
  unannouncedBefore?: object;
  /** Added to the event only. */
  eventData?: object;
  /** Adds the id of the new action. */
  entersAction?: boolean;
  /** Adds the length and a hash of the new result values of the changed execution. */
  hashesValues?: boolean;
}

export interface RecordRow extends Omit<ReturnType<typeof historyRow>, 'object_id'> {
  /** The position of the change among the changes of the statement. */
  change: number;
  /** Null: the experiment. */
  object_id: number | null;
  data: string;
  enters: boolean;
  hashes: boolean;
}

export const recordRows = ({ records }: { records: readonly ChangeRecord[] }, index: number): RecordRow[] =>
  records.map((record) => rowOf(record, index + 1));

function rowOf(record: ChangeRecord, change: number): RecordRow {
  const {
    author,
    objectKind,
    objectId,
    before,
    after,
    unannounced,
    unannouncedBefore,
    eventData,
    reason = '',
  } = record;
  const replaced = unannouncedBefore ? { ...before, ...unannouncedBefore } : before;
  const object = { objectKind, objectId: objectId ?? 0 };
  return {
    ...historyRow(author, { ...object, before: replaced, after: { ...after, ...unannounced }, reason }),
    change,
    object_id: objectId ?? null,
    data: eventRow({ ...object, kind: author.operation, data: { ...before, ...after, ...eventData } }).data,
    enters: record.entersAction ?? false,
    hashes: record.hashesValues ?? false,
  };
}

const recordColumns: Columns<RecordRow> = {
  change: { type: 'integer', of: (row) => row.change },
  actor_kind: { type: 'text', of: (row) => row.actor_kind },
  actor_id: { type: 'bigint', of: (row) => row.actor_id },
  request_id: { type: 'text', of: (row) => row.request_id },
  operation: { type: 'text', of: (row) => row.operation },
  object_kind: { type: 'text', of: (row) => row.object_kind },
  object_id: { type: 'bigint', of: (row) => row.object_id },
  before: { type: 'jsonb', of: (row) => row.before },
  after: { type: 'jsonb', of: (row) => row.after },
  reason: { type: 'text', of: (row) => row.reason },
  data: { type: 'jsonb', of: (row) => row.data },
  enters: { type: 'boolean', of: (row) => row.enters },
  hashes: { type: 'boolean', of: (row) => row.hashes },
};

/**
 * Result values can be large and are stored with the execution. The history proves them with a hash of their text in PostgreSQL,
 * keyed with the key of the subject: without the key, nobody can check a guess at erased values.
 */
const hashOfValues = sql`jsonb_build_object('result_values', jsonb_build_object('length', execution.values_length,
  'hash', encode(sha256(personal_key('subject', moved.subject_id) || execution.values_digest), 'hex')))`;

const none = sql`'{}'::jsonb`;

export interface RecordShape {
  /** There is one record in all. */
  one: boolean;
  /** Some of them enter an action. */
  enters: boolean;
  hashesValues: boolean;
}

export function insertRecordsSql(
  bind: Bind<{ records: readonly RecordRow[] }>,
  { one, enters, hashesValues }: RecordShape,
): RawBuilder<unknown> {
  const inOrder = one ? sql`` : sql` order by entries.position`;
  const materialized = one ? sql`not materialized` : sql`materialized`;
  return sql`
  ${rowsOf('recorded', bind, recordColumns, ({ records }) => records, { one })}, entries as ${materialized} (
    select recorded.*, coalesce(recorded.object_id, moved.experiment_id) as about_id, moved.cohort_id,
      ${enters ? sql`case when recorded.enters then jsonb_build_object('action_id', action.id) else ${none} end` : none} as more,
      ${hashesValues ? sql`case when recorded.hashes then ${hashOfValues} else ${none} end` : none} as hashed
    from moved join recorded on recorded.change = moved.position
      ${enters ? sql`left join action on action.experiment_id = moved.experiment_id` : sql``}
      ${hashesValues ? sql`left join execution on recorded.hashes and execution.id = recorded.object_id` : sql``}
  ), in_history as (
    insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
    select entries.actor_kind, entries.actor_id, entries.request_id, entries.operation, entries.object_kind, entries.about_id,
      entries.before, entries.after || entries.more || entries.hashed, entries.reason
    from entries${inOrder}
  ), announced as (
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select entries.operation, entries.object_kind, entries.about_id, entries.cohort_id, entries.data || entries.more
    from entries${inOrder})`;
}
