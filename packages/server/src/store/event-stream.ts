/**
 * Events in the order of (xid, id), of transactions that are older than the oldest one still running: of two events the one
 * with the smaller id can be committed later, and whoever reads by id alone loses it. Nothing can come before what has been
 * read in this order.
 */
import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';

/** Everything up to here has been read, this event included. */
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
  /** Behind this one. */
  from: Position;
  events: StreamedEvent[];
  /** Everything up to here is in it. */
  upTo: Position;
  /** Whether there may be more. */
  full: boolean;
}

export const isBehind = (one: Position, other: Position): boolean =>
  one.xid === other.xid ? one.id < other.id : one.xid < other.xid;

type Row = { [K in keyof StreamedEvent]: K extends 'xid' ? string : StreamedEvent[K] | null } & { horizon: string };

/** What is longer, in bytes as it is stored, is left out: variables may be of any length, and are read where they are. */
const longestData = 4096;

/**
 * Which experiment and workflow an event is about is looked up here, once for all who follow, and not written by the move.
 * The page is cut first: each of its rows then finds the others by their keys.
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
      one.cohort_id, case when pg_column_size(one.data) > ${longestData} then '{}' else one.data end as data,
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

const later = (one: Position, other: Position): Position => (isBehind(one, other) ? other : one);

export interface Kept {
  /** Whoever has read up to an earlier one has missed some. */
  since: Position;
  /** What happens from now on lies behind this. */
  now: Position;
}

export async function readKept(db: Db): Promise<Kept> {
  const { rows } = await sql<{ xid: string; id: number; horizon: string }>`
    select forgotten_events.xid::text as xid, forgotten_events.id, pg_snapshot_xmin(pg_current_snapshot())::text as horizon
    from forgotten_events`.execute(db);
  const { xid = '0', id = 0, horizon = '0' } = rows[0] ?? {};
  return { since: { xid: BigInt(xid), id }, now: { xid: BigInt(horizon), id: 0 } };
}
