/**
 * Reads events ordered by (xid, id), from transactions older than the oldest one still running. An event with a smaller id can
 * be committed later, so reading by id alone would miss it. In this order, no event appears before those already read.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

/** A position in the stream: everything up to and including this event has been read. */
export interface Position {
  xid: bigint;
  id: number;
}

export interface StreamedEvent extends Position {
  at: string;
  kind: string;
  object_kind: string;
  object_id: number;
  cohort_id: number | null;
  experiment_id: number | null;
  workflow_id: number | null;
  data: object;
}

export interface EventPage {
  /** The events come after this position. */
  from: Position;
  events: StreamedEvent[];
  /** The page contains all events up to here. */
  upTo: Position;
  /** Whether the page is full, so there may be more. */
  full: boolean;
}

export const isBefore = (one: Position, other: Position): boolean =>
  one.xid === other.xid ? one.id < other.id : one.xid < other.xid;

type Row = { [K in keyof StreamedEvent]: K extends 'xid' ? string : StreamedEvent[K] | null } & { horizon: string };

/** Longer data, in stored bytes, is left out. Variables can have any length. Clients read them from the experiment. */
const maxDataBytes = 4096;

/**
 * Looks up the experiment and the workflow of each event once for all clients, so moves need not write them. The page is limited
 * first, so that these lookups only run for its rows.
 */
export async function readEvents(db: Db, from: Position, limit: number): Promise<EventPage> {
  const { rows } = await sql<Row>`
    with horizon as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as xid),
    page as materialized (
      select events.* from events
      where (events.xid, events.id) > (${String(from.xid)}::xid8, ${from.id}::bigint)
        and events.xid < (select horizon.xid from horizon)
      order by events.xid, events.id limit ${limit}),
    referring as (
      select page.*, case page.object_kind
          when 'experiment' then page.object_id
          when 'action' then (select actions.experiment_id from actions where actions.id = page.object_id)
          when 'scan' then (select scans.experiment_id from scans where scans.id = page.object_id)
          when 'callback_execution' then (
            select actions.experiment_id from callback_executions join actions on actions.id = callback_executions.action_id
            where callback_executions.id = page.object_id)
        end as experiment_id
      from page)
    select horizon.xid::text as horizon, one.id, one.xid::text as xid, one.at, one.kind, one.object_kind, one.object_id,
      one.cohort_id, case when pg_column_size(one.data) > ${maxDataBytes} then '{}' else one.data end as data,
      one.experiment_id, case when one.object_kind = 'workflow' then one.object_id else (
        select experiments.workflow_id from experiments where experiments.id = one.experiment_id) end as workflow_id
    from horizon left join referring as one on true
    order by one.xid, one.id`.execute(db);
  const events = rows.filter(isEvent).map(({ horizon: _horizon, xid, ...row }) => ({ ...row, xid: BigInt(xid) }));
  const full = events.length === limit;
  const horizon = { xid: BigInt(rows[0]?.horizon ?? 0), id: 0 };
  return { from, events, full, upTo: (full ? events.at(-1) : undefined) ?? later(from, horizon) };
}

const isEvent = (row: Row): row is Omit<StreamedEvent, 'xid'> & { xid: string; horizon: string } => row.id !== null;

const later = (one: Position, other: Position): Position => (isBefore(one, other) ? other : one);

export interface RetainedEvents {
  /** Clients with an earlier position have missed events. */
  since: Position;
  /** New events come after this position. */
  now: Position;
}

export async function readRetainedEvents(db: Db): Promise<RetainedEvents> {
  const { rows } = await sql<{ xid: string; id: number; horizon: string }>`
    select forgotten_events.xid::text as xid, forgotten_events.id, pg_snapshot_xmin(pg_current_snapshot())::text as horizon
    from forgotten_events`.execute(db);
  const { xid = '0', id = 0, horizon = '0' } = rows[0] ?? {};
  return { since: { xid: BigInt(xid), id }, now: { xid: BigInt(horizon), id: 0 } };
}
