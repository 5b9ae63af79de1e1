/**
 * Failed tries, counted for all servers together: by the pair's SHA-256, as what a stranger types as a name may be a
 * password. A count begins with its first failure and is over 15 minutes later, by the clock of the database.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';

const windowSeconds = 15 * 60;
const window = sql.lit(`${windowSeconds} seconds`);
/** So many at a time: well within the time that a statement has. */
const mostRemoved = 10_000;

const hashOf = (pair: string): Buffer => createHash('sha256').update(pair).digest();

/**
 * Counts one more in one statement, so that of any number of servers that ask at once no more than `most` are let through.
 * Answers undefined, or in how many seconds it is worth asking again; then nothing was counted.
 */
async function countTry(db: Db, pair: string, most: number): Promise<number | undefined> {
  const hash = hashOf(pair);
  const { rows } = await sql<{ counted: boolean; wait: number }>`
    with counted as (
      insert into sign_in_failures as kept (pair_hash, count) values (${hash}, 1)
      on conflict (pair_hash) do update set
        count = case when kept.since > clock_timestamp() - interval ${window} then kept.count + 1 else 1 end,
        since = case when kept.since > clock_timestamp() - interval ${window} then kept.since else clock_timestamp() end
      where kept.count < ${most} or kept.since <= clock_timestamp() - interval ${window}
      returning 1)
    select exists (select from counted) as counted, coalesce((
      select ceil(extract(epoch from kept.since + interval ${window} - clock_timestamp()))::integer
      from sign_in_failures as kept where kept.pair_hash = ${hash}), ${sql.lit(windowSeconds)}) as wait`.execute(db);
  const [row] = rows;
  return row?.counted === true ? undefined : Math.max(1, row?.wait ?? windowSeconds);
}

/**
 * Of a try that succeeded, or could not be made at all. The last one takes the row along, so that nothing is left of a flood of them;
 * which is the last is judged once the row is ours alone, so that of any number at once none is left either.
 */
async function takeTryBack(db: Db, pair: string): Promise<void> {
  await sql`
    merge into sign_in_failures as kept using (select ${hashOf(pair)}::bytea as pair_hash) as own
    on kept.pair_hash = own.pair_hash
    when matched and kept.count = 1 then delete
    when matched then update set count = kept.count - 1`.execute(db);
}

async function forgetTries(db: Db, pair: string): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('pair_hash', '=', hashOf(pair)).execute();
}

/** All of it as a limit needs it. */
export const countFailures = (db: Db, most: number) => ({
  add: (pair: string) => countTry(db, pair, most),
  takeBack: (pair: string) => takeTryBack(db, pair),
  forget: (pair: string) => forgetTries(db, pair),
});

/** What is over, oldest first. Any number of servers may do it at once: each takes what no other one has. */
export async function removeOldTries(db: Db, signal?: AbortSignal): Promise<number> {
  let all = 0;
  const mayGoOn = () => signal?.aborted !== true;
  for (let removed = mostRemoved; removed === mostRemoved && mayGoOn(); all += removed) removed = await removeSome(db);
  return all;
}

async function removeSome(db: Db): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from sign_in_failures where pair_hash = any(array(
        select one.pair_hash from sign_in_failures as one
        where one.since <= now() - interval ${window}
        order by one.since limit ${sql.lit(mostRemoved)} for update skip locked))
      returning 1)
    select count(*) as removed from gone`.execute(db);
  return rows[0]?.removed ?? 0;
}
