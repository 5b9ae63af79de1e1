/** Rows of long work that workers continue in sets (`engine/due-sets.ts`): bulk operations and imports. */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';

/** At the end of a statement that locks the row that has waited longest. Skips those that other workers have locked. */
export const isDue = sql`status in ('checking', 'running') and next_at <= clock_timestamp()
  order by next_at limit 1 for no key update skip locked`;

export interface Postponement {
  afterSeconds: number;
  /** Why workers cannot continue. Without it, the attempt does not count as one of those after which the work stops. */
  waitingFor: string | undefined;
}

/** Work counts its attempts in a row that failed for the same reason. Another reason starts the count again. */
const triesBefore = (waitingFor: string) =>
  sql`case when waiting_for is not distinct from ${waitingFor} then tries else 0 end`;

export const dueSetsOf = (name: 'bulk_operations' | 'imports') => ({
  /** After an error, others go first. Not if the work was paused or has ended in the meantime. */
  postpone: (db: Db, id: number, { afterSeconds, waitingFor }: Postponement) =>
    sql`update ${sql.table(name)} set next_at = clock_timestamp() + ${afterSeconds} * interval '1 s'
        ${waitingFor === undefined ? sql`` : sql`, waiting_for = ${waitingFor}, tries = ${triesBefore(waitingFor)} + 1`}
      where id = ${id} and status in ('checking', 'running')`.execute(db),

  /** Locks the row that has been in this status longest, if its last change was so long ago. */
  lockIdle: async (tx: Tx, status: 'uploading' | 'paused', minutes: number): Promise<number | undefined> => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(name)}
      where status = ${sql.lit(status)} and next_at < clock_timestamp() - ${minutes} * interval '1 min'
      order by next_at limit 1 for no key update skip locked`.execute(tx);
    return rows[0]?.id;
  },

  /** Seconds until the next row is due. Undefined if none waits. */
  secondsUntilDue: async (db: Db): Promise<number | undefined> => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from next_at - clock_timestamp())::float8 as seconds
      from ${sql.table(name)} where status in ('checking', 'running') order by next_at limit 1`.execute(db);
    return rows[0]?.seconds;
  },
});

const timeOf = { checked: 'checked_at', running: 'started_at', finished: 'ended_at', stopped: 'ended_at' } as const;
type Time = (typeof timeOf)[keyof typeof timeOf];

export interface Continuation {
  afterSeconds?: number;
  /** Why workers cannot continue. */
  waitingFor?: string | null;
}

/** The time at which the row gets its status for the first time, and when a worker continues with it. */
export function timesOf(
  status: string | undefined,
  { afterSeconds = 0, waitingFor = null }: Continuation,
): Partial<Record<Time, RawBuilder<string>>> & {
  next_at: RawBuilder<string>;
  waiting_for: string | null;
  tries: number | RawBuilder<number>;
} {
  const time = status !== undefined && status in timeOf ? timeOf[status as keyof typeof timeOf] : undefined;
  return {
    ...(time && { [time]: sql<string>`coalesce(${sql.ref(time)}, clock_timestamp())` }),
    next_at: sql<string>`clock_timestamp() + ${afterSeconds} * interval '1 s'`,
    waiting_for: waitingFor,
    tries: waitingFor === null ? 0 : sql<number>`${triesBefore(waitingFor)} + 1`,
  };
}
