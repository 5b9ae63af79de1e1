/**
 * Lists what is removed after some time. Rows are removed in batches, oldest first, found by an index, each batch in its own
 * transaction. If a process dies, the next run continues. A lock lets one process remove rows at a time, and others skip. The
 * history is never removed.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';

/** Retention periods from the settings, in days. */
export interface RetentionDays {
  events: number;
  /** 0 keeps logs forever. */
  logs: number;
  sessions: number;
  bulkOperations: number;
  imports: number;
}

export type Removable =
  | 'begun_sign_ins'
  | 'bulk_items'
  | 'events'
  | 'idempotency_keys'
  | 'import_lines'
  | 'logs'
  | 'password_resets'
  | 'sessions'
  | 'tokens';

interface Rule {
  what: Removable;
  /** The retention period. 0 keeps rows forever. */
  days: (keep: RetentionDays) => number;
  /** The batch size, well within the statement timeout. */
  batchSize: number;
  /** Removes up to `batchSize` rows that are older, and returns how many. */
  statement: (days: number, batchSize: number) => RawBuilder<Round>;
}

interface Round {
  removed: number;
  /** The number of rows read, if some of them had nothing to remove. */
  seen?: number;
}

/** As documented for idempotency keys. */
const keyDays = 1;
/** After the token expired or was revoked, so that a rejected token can still be explained. */
const tokenDays = 90;
/** A link is valid for 30 minutes, and mails are limited per hour. */
const resetDays = 1;

/** Of a bulk operation that was never applied. Each one can have many experiments. */
const dryRunDays = 1;

/** They expire after ten minutes. */
const begunDays = 1;

export const retention: readonly Rule[] = [
  {
    what: 'begun_sign_ins',
    days: () => begunDays,
    batchSize: 5000,
    statement: removeFrom('begun_sign_ins', 'secret_hash', sql.ref('one.expires_at')),
  },
  // Those that run or are paused stay.
  {
    what: 'bulk_items',
    days: ({ bulkOperations }) => bulkOperations,
    batchSize: 5000,
    statement: removeBulkOperations,
  },
  { what: 'events', days: ({ events }) => events, batchSize: 5000, statement: removeEvents },
  {
    what: 'idempotency_keys',
    days: () => keyDays,
    batchSize: 5000,
    statement: removeFrom('idempotency_keys', 'ctid', sql.ref('one.created_at')),
  },
  // Those that run or are paused stay.
  { what: 'import_lines', days: ({ imports }) => imports, batchSize: 5000, statement: removeImports },
  // A log can have 1 MiB, which PostgreSQL stores in many pieces.
  { what: 'logs', days: ({ logs }) => logs, batchSize: 200, statement: removeLogs },
  {
    what: 'password_resets',
    days: () => resetDays,
    batchSize: 5000,
    statement: removeFrom('password_resets', 'id', sql.ref('one.asked_at')),
  },
  // Includes ended sessions, because every session expires 12 hours after it started.
  {
    what: 'sessions',
    days: ({ sessions }) => sessions,
    batchSize: 5000,
    statement: removeFrom('sessions', 'id', sql.ref('one.expires_at')),
  },
  // Expired and revoked tokens.
  {
    what: 'tokens',
    days: () => tokenDays,
    batchSize: 5000,
    statement: removeFrom('api_tokens', 'id', sql`least(one.expires_at, one.revoked_at)`),
  },
];

export type Removed = Partial<Record<Removable, number>>;

/** Returns the number of removed rows by kind, without zeros. */
export async function removeOutdated(db: Db, keep: RetentionDays, signal?: AbortSignal): Promise<Removed> {
  const removed: Removed = {};
  for (const rule of retention) {
    const count = await removeAll(db, rule, rule.days(keep), signal);
    if (count > 0) removed[rule.what] = count;
  }
  return removed;
}

async function removeAll(db: Db, rule: Rule, days: number, signal?: AbortSignal): Promise<number> {
  let all = 0;
  const canContinue = () => days > 0 && signal?.aborted !== true;
  for (let seen = rule.batchSize; seen === rule.batchSize && canContinue();) {
    const round = await inTransaction(db, (tx) => removeSome(tx, rule, days));
    seen = round.seen ?? round.removed;
    all += round.removed;
  }
  return all;
}

async function removeSome(tx: Tx, { statement, batchSize }: Rule, days: number): Promise<Round> {
  const lock = sql<{ acquired: boolean }>`select pg_try_advisory_xact_lock(hashtext('retention')) as acquired`;
  const [locked] = (await lock.execute(tx)).rows;
  if (locked?.acquired !== true) return { removed: 0 };
  const [round] = (await statement(days, batchSize).execute(tx)).rows;
  return round ?? { removed: 0 };
}

const before = (days: number) => sql`now() - ${days}::integer * interval '1 day'`;

/** Removes the oldest events and records the last removed position. Clients that resume before it must start over. */
function removeEvents(days: number, batchSize: number) {
  return sql<{ removed: number }>`
    with oldest as (
      select events.id, events.at from events order by events.xid, events.id limit ${batchSize}
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

/** Removes the lines, faults and keys of the oldest imports, and these imports when nothing else of them is left. */
function removeImports(days: number, batchSize: number) {
  const due = (table: string) => sql`(
    select one.ctid from ${sql.table(table)} as one where one.import_id = any(array(select oldest.id from oldest)) limit ${batchSize})`;
  return sql<Round>`
    with oldest as materialized (
      select one.id from imports as one
      where one.status not in ('checking', 'running', 'paused') and coalesce(one.ended_at, one.created_at) < ${before(days)}
      order by coalesce(one.ended_at, one.created_at) limit 20 for update skip locked
    ), lines as (
      delete from import_lines where import_lines.ctid = any(array${due('import_lines')}) returning 1
    ), faults as (
      delete from import_faults where import_faults.ctid = any(array${due('import_faults')}) returning 1
    ), keys as (
      delete from import_keys where import_keys.ctid = any(array${due('import_keys')}) returning 1
    ), sizes as (
      select greatest((select count(*) from lines), (select count(*) from faults), (select count(*) from keys)) as most,
        (select count(*) from lines) as lines
    ), emptied as (
      delete from imports
      where imports.id = any(array(select oldest.id from oldest)) and (select sizes.most from sizes) < ${batchSize} returning 1
    )
    select sizes.lines as removed, greatest(sizes.most, case when (select count(*) from emptied) = 20 then ${batchSize} else 0 end) as seen
    from sizes`;
}

const isDryRun = sql`one.status in ('checked', 'stopped') and not one.starts_itself and one.started_at is null`;

/** Removes the items of the oldest operations, and these operations when all their items are removed. Their rows are locked, so items stay in place. */
function removeBulkOperations(days: number, batchSize: number) {
  const oldest = (condition: RawBuilder<unknown>, keptDays: number) => sql`
      select one.id from bulk_operations as one
      where ${condition} and coalesce(one.ended_at, one.created_at) < ${before(keptDays)}
      order by coalesce(one.ended_at, one.created_at) limit ${batchSize} for update skip locked`;
  return sql<Round>`
    with ended as materialized (${oldest(sql`one.status in ('checked', 'finished', 'stopped')`, days)}
    ), dry_runs as materialized (${oldest(isDryRun, dryRunDays)}
    ), oldest as materialized (
      select ended.id from ended union select dry_runs.id from dry_runs limit ${batchSize}
    ), due as materialized (
      select items.place from oldest cross join lateral (
        select one.ctid as place from bulk_items as one where one.operation_id = oldest.id
        order by one.number limit ${batchSize}) as items
      limit ${batchSize}
    ), gone as (
      delete from bulk_items where bulk_items.ctid = any(array(select due.place from due)) returning 1
    ), emptied as (
      delete from bulk_operations
      where bulk_operations.id = any(array(select oldest.id from oldest)) and (select count(*) from due) < ${batchSize}
    )
    select count(*) as removed from gone`;
}

/** Deletes rows, oldest first. `key` identifies a row, and an index exists on `time`. */
function removeFrom(table: string, key: string, time: RawBuilder<unknown>): Rule['statement'] {
  return (days, batchSize) => sql<Round>`
    with gone as (
      delete from ${sql.table(table)} where ${sql.ref(`${table}.${key}`)} = any(array(
        select ${sql.ref(`one.${key}`)} from ${sql.table(table)} as one where ${time} < ${before(days)}
        order by ${time} limit ${batchSize} for update skip locked))
      returning 1)
    select count(*) as removed from gone`;
}

/**
 * Replaces log texts by a marker. Statuses, times, results and errors stay. Attempts are locked before executions, as by other
 * writers of both. Executions with a locked row are left to the next run.
 */
function removeLogs(days: number, batchSize: number) {
  const mark = `[removed after ${days} ${days === 1 ? 'day' : 'days'}]`;
  return sql<{ removed: number; seen: number }>`
    with due as materialized (
      select one.id from callback_executions as one
      where one.logs_removed_at is null and one.finished < ${before(days)} and one.finished is not null
        and (one.run_log <> '' or one.result_log <> '' or one.attempt > 0)
      order by one.finished limit ${batchSize}
    ), locked as materialized (
      select one.execution_id, one.attempt, one.log <> '' as has_log from execution_attempts as one
      where one.execution_id = any(array(select due.id from due)) for update skip locked
    ), free as materialized (
      select due.id, coalesce(bool_or(locked.has_log), false) as has_log from due
      left join execution_attempts as tried on tried.execution_id = due.id
      left join locked on locked.execution_id = tried.execution_id and locked.attempt = tried.attempt
      group by due.id having count(tried.attempt) = count(locked.attempt)
    ), old as materialized (
      select one.id, one.run_log <> '' or one.result_log <> '' as has_log from callback_executions as one
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
    select count(*) as seen, count(*) filter (where old.has_log or free.has_log) as removed
    from old join free on free.id = old.id`;
}
