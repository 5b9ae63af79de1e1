/**
 * What is not kept for good, and for how long: one list. Some of it is removed at a time, the oldest first and found by an
 * index, each time in a transaction of its own: whoever dies in between leaves the rest to the next round. One process does it
 * at a time; others find the lock taken and leave it to that one. What happened stands in the history, which is not in this list.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';

/** Days, as the settings have them. */
export interface KeptDays {
  events: number;
  /** 0: for good. */
  logs: number;
  sessions: number;
}

export type Removable =
  | 'begun_sign_ins'
  | 'events'
  | 'idempotency_keys'
  | 'logs'
  | 'password_resets'
  | 'sessions'
  | 'tokens';

interface Rule {
  what: Removable;
  /** How long it is kept; 0 for good. */
  days: (keep: KeptDays) => number;
  /** So many at a time: well within the time that a statement has. */
  most: number;
  /** Removes up to so many that are older than that, and answers how many. */
  statement: (days: number, most: number) => RawBuilder<Round>;
}

interface Round {
  removed: number;
  /** Where some that were looked at had nothing to remove: how many were looked at. */
  seen?: number;
}

/** As promised to those who repeat a request. */
const keyDays = 1;
/** After its end, so that whoever looks for the cause of a refusal finds it. */
const tokenDays = 90;
/** A link works for 30 minutes, and letters are counted by the hour. */
const resetDays = 1;

/** Over after ten minutes. */
const begunDays = 1;

export const retention: readonly Rule[] = [
  {
    what: 'begun_sign_ins',
    days: () => begunDays,
    most: 5000,
    statement: removeFrom('begun_sign_ins', 'secret_hash', sql.ref('one.expires_at')),
  },
  { what: 'events', days: ({ events }) => events, most: 5000, statement: removeEvents },
  {
    what: 'idempotency_keys',
    days: () => keyDays,
    most: 5000,
    statement: removeFrom('idempotency_keys', 'ctid', sql.ref('one.created_at')),
  },
  // A log may have 1 MiB, and its pieces are removed one by one.
  { what: 'logs', days: ({ logs }) => logs, most: 200, statement: removeLogs },
  {
    what: 'password_resets',
    days: () => resetDays,
    most: 5000,
    statement: removeFrom('password_resets', 'id', sql.ref('one.asked_at')),
  },
  // Ended ones, too: each expires within 12 hours of its beginning.
  {
    what: 'sessions',
    days: ({ sessions }) => sessions,
    most: 5000,
    statement: removeFrom('sessions', 'id', sql.ref('one.expires_at')),
  },
  // Whichever way they ended.
  {
    what: 'tokens',
    days: () => tokenDays,
    most: 5000,
    statement: removeFrom('api_tokens', 'id', sql`least(one.expires_at, one.revoked_at)`),
  },
];

export type Removed = Partial<Record<Removable, number>>;

/** Answers what was removed, without what was not. */
export async function removeOutdated(db: Db, keep: KeptDays, signal?: AbortSignal): Promise<Removed> {
  const removed: Removed = {};
  for (const rule of retention) {
    const count = await removeAll(db, rule, rule.days(keep), signal);
    if (count > 0) removed[rule.what] = count;
  }
  return removed;
}

async function removeAll(db: Db, rule: Rule, days: number, signal?: AbortSignal): Promise<number> {
  let all = 0;
  const mayGoOn = () => days > 0 && signal?.aborted !== true;
  for (let seen = rule.most; seen === rule.most && mayGoOn();) {
    const round = await inTransaction(db, (tx) => removeSome(tx, rule, days));
    seen = round.seen ?? round.removed;
    all += round.removed;
  }
  return all;
}

async function removeSome(tx: Tx, { statement, most }: Rule, days: number): Promise<Round> {
  const lock = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext('retention')) as mine`;
  const [locked] = (await lock.execute(tx)).rows;
  if (locked?.mine !== true) return { removed: 0 };
  const [round] = (await statement(days, most).execute(tx)).rows;
  return round ?? { removed: 0 };
}

const before = (days: number) => sql`now() - ${days}::integer * interval '1 day'`;

/** The oldest of the stream, and the mark of how far it went: whoever resumes before it is told to begin anew. */
function removeEvents(days: number, most: number) {
  return sql<{ removed: number }>`
    with oldest as (
      select events.id, events.at from events order by events.xid, events.id limit ${most}
    ), gone as (
      delete from events
      where events.id = any(array(select oldest.id from oldest where oldest.at < ${before(days)}))
      returning events.xid, events.id
    ), last as (select gone.xid, gone.id from gone order by gone.xid desc, gone.id desc limit 1
    ), marked as (
      update forgotten_events set xid = last.xid, id = last.id from last
      where (forgotten_events.xid, forgotten_events.id) < (last.xid, last.id))
    select count(*) as removed from gone`;
}

/** Rows that go as a whole, the oldest first: what they are known by, and since when they are over, as an index has it. */
function removeFrom(table: string, key: string, moment: RawBuilder<unknown>): Rule['statement'] {
  return (days, most) => sql<Round>`
    with gone as (
      delete from ${sql.table(table)} where ${sql.ref(`${table}.${key}`)} = any(array(
        select ${sql.ref(`one.${key}`)} from ${sql.table(table)} as one where ${moment} < ${before(days)}
        order by ${moment} limit ${most} for update skip locked))
      returning 1)
    select count(*) as removed from gone`;
}

/**
 * Only texts go. Statuses, times, results and errors stay, and in the place of a text stands that there was one. Attempts are
 * held first, as by whoever writes both; an execution of which somebody else holds anything is left to the next round.
 */
function removeLogs(days: number, most: number) {
  const mark = `[removed after ${days} ${days === 1 ? 'day' : 'days'}]`;
  return sql<{ removed: number; seen: number }>`
    with due as materialized (
      select one.id from callback_executions as one
      where one.logs_removed_at is null and one.finished < ${before(days)} and one.finished is not null
        and (one.run_log <> '' or one.result_log <> '' or one.attempt > 0)
      order by one.finished limit ${most}
    ), held as materialized (
      select one.execution_id, one.attempt, one.log <> '' as told from execution_attempts as one
      where one.execution_id = any(array(select due.id from due)) for update skip locked
    ), free as materialized (
      select due.id, coalesce(bool_or(held.told), false) as told from due
      left join execution_attempts as tried on tried.execution_id = due.id
      left join held on held.execution_id = tried.execution_id and held.attempt = tried.attempt
      group by due.id having count(tried.attempt) = count(held.attempt)
    ), old as materialized (
      select one.id, one.run_log <> '' or one.result_log <> '' as told from callback_executions as one
      where one.id = any(array(select free.id from free)) and one.logs_removed_at is null for update skip locked
    ), gone as (
      update callback_executions as one
      set logs_removed_at = clock_timestamp(), version = one.version + 1,
        run_log = case when one.run_log = '' then '' else ${mark} end,
        result_log = case when one.result_log = '' then '' else ${mark} end
      from old where one.id = old.id
    ), attempts as (
      update execution_attempts as one set log = ${mark} from old
      where one.execution_id = old.id and one.log <> '')
    select count(*) as seen, count(*) filter (where old.told or free.told) as removed
    from old join free on free.id = old.id`;
}
