/**
 * Failed sign-ins, counted across all servers. Counts are stored under the SHA-256 of the pair of address and account name,
 * because a user may type a password as the name. A count starts with the first failure and expires after 15 minutes of the
 * database clock.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

const windowSeconds = 15 * 60;
const window = sql.lit(`${windowSeconds} seconds`);
/** The batch size, well within the statement timeout. */
const batchSize = 10_000;

const hashOf = (pair: string): Buffer => createHash('sha256').update(pair).digest();

/**
 * Counts one attempt in one statement, so that no more than `limit` are allowed even if several servers count at once. If the
 * limit is reached, counts nothing and returns the seconds until the next attempt is allowed.
 */
async function countAttempt(db: Db, pair: string, limit: number): Promise<number | undefined> {
  const hash = hashOf(pair);
  const { rows } = await sql<{ counted: boolean; wait: number }>`
    with counted as (
      insert into sign_in_failures as stored (pair_hash, count) values (${hash}, 1)
      on conflict (pair_hash) do update set
        count = case when stored.since > clock_timestamp() - interval ${window} then stored.count + 1 else 1 end,
        since = case when stored.since > clock_timestamp() - interval ${window} then stored.since else clock_timestamp() end
      where stored.count < ${limit} or stored.since <= clock_timestamp() - interval ${window}
      returning 1)
    select exists (select from counted) as counted, coalesce((
      select ceil(extract(epoch from stored.since + interval ${window} - clock_timestamp()))::integer
      from sign_in_failures as stored where stored.pair_hash = ${hash}), ${sql.lit(windowSeconds)}) as wait`.execute(
    db,
  );
  const [row] = rows;
  return row?.counted === true ? undefined : Math.max(1, row?.wait ?? windowSeconds);
}

/**
 * Removes an attempt that succeeded or could not be made. The last one deletes the row. `merge` locks the row before it compares
 * the count, so concurrent calls leave no row behind.
 */
async function removeAttempt(db: Db, pair: string): Promise<void> {
  await sql`
    merge into sign_in_failures as stored using (select ${hashOf(pair)}::bytea as pair_hash) as own
    on stored.pair_hash = own.pair_hash
    when matched and stored.count = 1 then delete
    when matched then update set count = stored.count - 1`.execute(db);
}

async function forgetAttempts(db: Db, pair: string): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('pair_hash', '=', hashOf(pair)).execute();
}

/** The counts as a failure limit uses them. */
export const countFailures = (db: Db, limit: number) => ({
  add: (pair: string) => countAttempt(db, pair, limit),
  removeAttempt: (pair: string) => removeAttempt(db, pair),
  forget: (pair: string) => forgetAttempts(db, pair),
});

/** Removes expired counts, oldest first. Several servers can do it at once, because each skips rows that another one locked. */
export async function removeExpiredFailures(db: Db, signal?: AbortSignal): Promise<number> {
  let all = 0;
  const canContinue = () => signal?.aborted !== true;
  for (let removed = batchSize; removed === batchSize && canContinue(); all += removed) removed = await removeSome(db);
  return all;
}

async function removeSome(db: Db): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from sign_in_failures where pair_hash = any(array(
        select one.pair_hash from sign_in_failures as one
        where one.since <= now() - interval ${window}
        order by one.since limit ${sql.lit(batchSize)} for update skip locked))
      returning 1)
    select count(*) as removed from gone`.execute(db);
  return rows[0]?.removed ?? 0;
}
