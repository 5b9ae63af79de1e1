/** SQL for changes of executions and attempts. */
import { sql } from 'kysely';
import { deleteJobs, insertJobs } from '../../../jobs/insert-jobs.ts';
import { insertPaceSql } from '../../runs/retry-pace.ts';
import { shortenLog } from '../../runs/shorten-log.ts';

export interface ExecutionChange {
  id: number;
  status: string;
  result: string;
  resultValues?: Record<string, unknown> | undefined;
  /** Replaces the log. */
  runLog?: string | undefined;
  /** Appended to the log. */
  appendToLog?: string | undefined;
  /** Replaces the result log. */
  resultLog?: string | undefined;
  /** Appended to the result log. */
  appendToResultLog?: string | undefined;
  /** Minutes until the timeout. 0: no timeout. Absent: unchanged. */
  timeoutMinutes?: number | undefined;
  lastError?: string | undefined;
  /**
   * Ends the running attempt and appends its log to that of the execution. `failed`: it ended with a temporary failure. `lost`:
   * its worker was lost.
   */
  attemptEnds?: { error: string | null; log: string; failed: boolean; lost?: boolean } | undefined;
  /** Schedules another attempt. */
  nextAttemptSeconds?: number | undefined;
  /** Whether the time until the next attempt counts as running time. */
  runsOn?: boolean | undefined;
  /** The host at which the next attempt has to wait its turn. */
  retryHost?: string | undefined;
  /** Deletes the job of an execution that has not started. */
  leavesQueue?: boolean | undefined;
}

const resolved = sql`('finished', 'skipped')`;

export const updateExecutionSql = (change: ExecutionChange) => [
  ...(change.attemptEnds ? [endAttempt(change, change.attemptEnds)] : []),
  sql`execution as (
    update callback_executions as one
    set status = ${change.status}, result = ${change.result}, version = one.version + 1,
      run_start = case when ${change.status} = 'running' then coalesce(one.run_start, greatest(clock.now, one.created))
        else one.run_start end,
      wait_start = case when ${change.status} = 'waiting'
        then coalesce(one.wait_start, greatest(clock.now, coalesce(one.run_start, one.created))) else one.wait_start end,
      finished = case when ${change.status} in ${resolved}
        then coalesce(one.finished, greatest(clock.now, coalesce(one.wait_start, one.run_start, one.created))) end,
      deadline = case when ${change.status} in ${resolved} then null
        when ${change.timeoutMinutes ?? null}::integer is null
          then one.deadline + case when one.deadline > clock.now
            then ${pauseSeconds(change)}::float * interval '1 second' else interval '0' end
        when ${change.timeoutMinutes ?? null}::integer > 0
          then clock.now + ${change.timeoutMinutes ?? null}::integer * interval '1 minute' end,
      next_attempt_at = case when ${change.nextAttemptSeconds ?? null}::float is not null
          then clock.now + ${change.nextAttemptSeconds ?? null}::float * interval '1 second'
        when one.status = ${change.status} then one.next_attempt_at end,
      result_values = coalesce(${jsonOrNull(change.resultValues)}::jsonb, one.result_values),
      result_log = ${newResultLog(change)},
      last_error = coalesce(${change.lastError ?? null}, one.last_error),
      run_log = ${newLog(change)}${countFailure(change)}
    from moved cross join clock
    where one.id = ${change.id}
    returning one.id, one.callback_id, one.callback_version, one.action_id${change.resultValues ? valuesDigest : sql``})`,
  ...(change.leavesQueue ? leaveQueue : []),
];

const pauseSeconds = ({ nextAttemptSeconds = 0, runsOn }: ExecutionChange) => (runsOn ? 0 : nextAttemptSeconds);

/** The time of failing starts with the first of several temporary failures in a row. A lost worker ends the series. */
function countFailure({ attemptEnds, nextAttemptSeconds, retryHost }: ExecutionChange) {
  if (!attemptEnds) return sql``;
  const retry = nextAttemptSeconds === undefined ? sql`` : sql`, retry_host = ${retryHost ?? null}, retry_slot = false`;
  if (attemptEnds.lost)
    return sql`, failing_since = null, failures = one.failures + 1, lost_workers = one.lost_workers + 1${retry}`;
  // A stopping worker that returns the run does not end the series.
  if (!attemptEnds.failed) return nextAttemptSeconds === undefined ? sql`, failing_since = null` : retry;
  return sql`, failing_since = coalesce(one.failing_since, clock.now),
      failures = case when one.failing_since is null then 1 else one.failures + 1 end${retry}`;
}

/** For the history. */
const valuesDigest = sql`, octet_length(one.result_values::text) as values_length,
      sha256(convert_to(one.result_values::text, 'UTF8')) as values_digest`;

const leaveQueue = [
  sql`unqueued as (${deleteJobs(sql`
    select execution.id, callback_versions.queue from execution join callback_versions
      on callback_versions.callback_id = execution.callback_id
      and callback_versions.version = execution.callback_version`)})`,
];

const jsonOrNull = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

function newLog({ runLog, appendToLog, attemptEnds }: ExecutionChange) {
  if (runLog !== undefined) return sql`${runLog}`;
  if (!attemptEnds && appendToLog === undefined) return sql`one.run_log`;
  const ofAttempt = attemptEnds ? sql`coalesce((select attempt.entry from attempt), '')` : sql`''`;
  return shortenLog(sql`one.run_log || ${ofAttempt} || ${appendToLog ?? ''}`);
}

function newResultLog({ resultLog, appendToResultLog }: ExecutionChange) {
  if (resultLog !== undefined) return sql`${resultLog}`;
  return appendToResultLog === undefined
    ? sql`one.result_log`
    : shortenLog(sql`one.result_log || ${appendToResultLog}`);
}

/**
 * Adds the log of an attempt to the execution's log under its own heading. An attempt without output adds nothing.
 */
const endAttempt = (
  { id }: ExecutionChange,
  { error, log }: NonNullable<ExecutionChange['attemptEnds']>,
) => sql`attempt as (
  update execution_attempts
  set ended_at = greatest(clock.now, execution_attempts.started_at), error = ${error},
    log = ${shortenLog(sql`execution_attempts.log || ${log}`)}
  from moved cross join clock cross join callback_executions as current
  where current.id = ${id} and execution_attempts.execution_id = current.id
    and execution_attempts.attempt = current.attempt and execution_attempts.ended_at is null
  returning case when execution_attempts.log <> '' then format(e'%s--- attempt %s by %s at %s\n%s',
    case when current.run_log <> '' then e'\n' end, execution_attempts.attempt, execution_attempts.worker,
    to_char(execution_attempts.started_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), execution_attempts.log) end as entry)`;

/** Inserts the job of the next attempt. */
export const nextAttemptSql = ({ nextAttemptSeconds: seconds, retryHost }: ExecutionChange) =>
  seconds === undefined ? [] : [followUp(seconds), ...(retryHost === undefined ? [] : [insertPaceSql(retryHost)])];

const followUp = (seconds: number) =>
  sql`follow_up as (${insertJobs(sql`
  select execution.id, callback_versions.queue, moved.workflow_id, actions.bulk,
    clock.now + ${seconds}::float * interval '1 second', ${seconds}::float
  from execution cross join moved cross join clock join actions on actions.id = execution.action_id
    join callback_versions on callback_versions.callback_id = execution.callback_id
    and callback_versions.version = execution.callback_version`)})`;
