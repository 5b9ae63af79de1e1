/**
 * Paces retries to one host over all workers, so that a system that was down is not overrun when it is back. The statement that
 * starts attempts locks the row of the host and counts the starts of each second of the database clock. Retries beyond the limit
 * get slots in the following seconds and are postponed to them. A retry that missed its slot is counted like any other, so
 * workers that were away cannot start a burst. New retries wait behind those that have slots.
 */
import { sql, type RawBuilder } from 'kysely';
import { insertJobs } from '../../jobs/insert-jobs.ts';

export const defaultRetriesPerSecond = 10;

/** Each host has a row before its first retry starts. */
export const insertPaceSql = sql`pace_row as (
  insert into retry_pace (host) select distinct moved.retry_host from moved where moved.retry_host is not null
  order by moved.retry_host on conflict (host) do nothing)`;

/**
 * Locks the hosts. The time of the starts is read after that and rounded as it is stored, because it decides in which second
 * they count.
 */
export const lockPaceSql = (hosts: RawBuilder<unknown>) => sql`
  pace as materialized (
    select retry_pace.host, retry_pace.second, retry_pace.started, retry_pace.next_slot from retry_pace
    where retry_pace.host = any(${hosts}::text[]) order by retry_pace.host for update
  ), clock as materialized (
    select clock_timestamp()::timestamptz(3) as now from (select count(*) from pace) as locked_hosts)`;

/**
 * A retry that has no turn within this time asks again then, so that the line is never longer than the retries in it. The random part
 * keeps them from asking together.
 */
const longestWait = sql`interval '5 minutes' + random() * interval '1 minute'`;
const nextSecond = sql`date_trunc('second', clock.now) + interval '1 second'`;

/**
 * Decides which retries start and postpones the others. Reads `given` and `locked` of the statement that starts attempts, which
 * must not start executions in `waiting`.
 */
export const applyPaceSql = (perSecond: RawBuilder<unknown>) => sql`
  asked as (
    select one.id, one.attempt, pace.host, pace.next_slot, one.retry_slot,
      case when pace.second = date_trunc('second', clock.now) then pace.started else 0 end as before,
      row_number() over (partition by pace.host order by one.retry_slot desc, one.next_attempt_at, one.id) as place
    from given join locked on locked.id = given.experiment_id
      join callback_executions as one on one.id = given.execution_id and one.attempt = given.attempt
      join pace on pace.host = one.retry_host cross join clock
    where one.status = 'running' and one.next_attempt_at is not null
  ), judged as materialized (
    select asked.id, asked.attempt, asked.host, asked.next_slot, asked.before, asked.place,
      asked.before + asked.place <= ${perSecond}::bigint and (asked.retry_slot or asked.next_slot <= clock.now) as starts
    from asked cross join clock
  ), waiting as materialized (
    select judged.id, judged.attempt, least(clock.now + ${longestWait}, greatest(judged.next_slot, ${nextSecond})
      + (row_number() over (partition by judged.host order by judged.place) - 1) * interval '1 second' / ${perSecond}::float) as slot
    from judged cross join clock where not judged.starts
  ), counted as (
    update retry_pace
    set second = date_trunc('second', clock.now), started = hosts.started, next_slot = case when hosts.waiting = 0
      then retry_pace.next_slot
      else least(clock.now + interval '5 minutes',
        greatest(hosts.next_slot, ${nextSecond}) + hosts.waiting * interval '1 second' / ${perSecond}::float) end
    from (
      select judged.host, judged.next_slot, judged.before + count(*) filter (where judged.starts) as started,
        count(*) filter (where not judged.starts) as waiting
      from judged group by judged.host, judged.next_slot, judged.before) as hosts cross join clock
    where retry_pace.host = hosts.host
  ), postponed as (
    update callback_executions as one
    set next_attempt_at = waiting.slot, retry_slot = true, deadline = one.deadline + (waiting.slot - one.next_attempt_at),
      failing_since = one.failing_since + (waiting.slot - one.next_attempt_at),
      version = one.version + 1
    from waiting where one.id = waiting.id and one.attempt = waiting.attempt and one.next_attempt_at is not null
    returning one.id, one.action_id, one.callback_id, one.callback_version, waiting.slot
  ), postponed_jobs as (${insertJobs(sql`
    select postponed.id, callback_versions.queue, locked.workflow_id, actions.bulk, postponed.slot, 0
    from postponed join actions on actions.id = postponed.action_id join locked on locked.id = actions.experiment_id
      join callback_versions on callback_versions.callback_id = postponed.callback_id
      and callback_versions.version = postponed.callback_version`)})`;
