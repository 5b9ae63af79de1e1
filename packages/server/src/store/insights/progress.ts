/** How far the figures of Insights are counted. */
import { sql } from 'kysely';
import { allowLongStatements, type Db, type Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Position } from '../record/read-events.ts';

export interface Progress {
  position: Position;
  /** The last experiment that was counted again. Null if all were. */
  rebuiltTo: number | null;
}

/** Undefined if another worker counts. */
export async function lockProgress(tx: Tx): Promise<Progress | undefined> {
  const { rows } = await sql<{ xid: string; event_id: number; rebuilt_to: number | null }>`
    select insight_progress.xid::text as xid, insight_progress.event_id, insight_progress.rebuilt_to
    from insight_progress for update skip locked`.execute(tx);
  const [row] = rows;
  return row && { position: { xid: BigInt(row.xid), id: row.event_id }, rebuiltTo: row.rebuilt_to };
}

export async function saveProgress(
  tx: Tx,
  { position, rebuiltTo, countedAt }: Progress & { countedAt: string },
): Promise<void> {
  await sql`
    update insight_progress set xid = ${String(position.xid)}::xid8, event_id = ${position.id}, rebuilt_to = ${rebuiltTo},
      counted_at = ${countedAt}`.execute(tx);
}

/** The time of the first event that is not read yet, or when the oldest other transaction that writes began, or now. */
export async function readCountedTime(tx: Tx, { xid, id }: Position): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select date_trunc('milliseconds', least(now(), (
      select events.at from events where (events.xid, events.id) > (${String(xid)}::xid8, ${id}::bigint)
      order by events.xid, events.id limit 1
    ), (
      select min(activity.xact_start) from pg_stat_activity as activity
      where activity.backend_xid is not null and activity.pid <> pg_backend_pid()
    )))::timestamptz(3) as at`.execute(tx);
  return rows[0]?.at ?? '';
}

/** Deletes all figures. Workers count them again. */
export async function rebuildInsights(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    // It waits for the task and for readers.
    await allowLongStatements(tx);
    await sql`select rebuild_insights()`.execute(tx);
  });
}

export interface CountedUpTo {
  /** Null before the first count. */
  at: string | null;
  rebuilding: boolean;
}

export async function readCountedUpTo(db: Db): Promise<CountedUpTo> {
  const { rows } = await sql<CountedUpTo>`
    select insight_progress.counted_at as at, insight_progress.rebuilt_to is not null as rebuilding from insight_progress`.execute(
    db,
  );
  return rows[0] ?? { at: null, rebuilding: false };
}

/** The next experiments of a rebuild. */
export async function listNextExperiments(tx: Tx, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select experiments.id from experiments where experiments.id > ${after} order by experiments.id limit ${limit}`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** All experiments of subjects. */
export async function listExperimentsOf(tx: Tx, subjectIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select experiments.id from experiments where experiments.subject_id = any(${[...subjectIds]}::bigint[])`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}
