/** SQL for changes of executions and attempts. */
import { sql } from 'kysely';
import type { Columns } from '../../../database/given-rows.ts';
import { deleteJobs, insertJobs } from '../../../jobs/insert-jobs.ts';
import { groupKey } from '../../../causes/group-cause.ts';
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
  /** Why it failed. Empty: nobody said why. Absent: unchanged. */
  cause?: string | undefined;
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

export interface ExecutionUpdate extends ExecutionChange {
  /** The latest attempt when the execution was read. */
  attempt: number;
}

const jsonOrNull = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));

export const executionColumns: Columns<ExecutionUpdate> = {
  execution_id: { type: 'bigint', of: ({ id }) => id },
  status: { type: 'text', of: ({ status }) => status },
  result: { type: 'text', of: ({ result }) => result },
  result_values: { type: 'jsonb', of: ({ resultValues }) => jsonOrNull(resultValues) },
  run_log: { type: 'text', of: ({ runLog }) => runLog },
  appended_log: { type: 'text', of: ({ appendToLog = '' }) => appendToLog },
  result_log: { type: 'text', of: ({ resultLog }) => resultLog },
  appended_result_log: { type: 'text', of: ({ appendToResultLog = '' }) => appendToResultLog },
  timeout_minutes: { type: 'integer', of: ({ timeoutMinutes }) => timeoutMinutes },
  last_error: { type: 'text', of: ({ lastError }) => lastError },
  next_attempt_seconds: { type: 'float', of: ({ nextAttemptSeconds }) => nextAttemptSeconds },
  pause_seconds: {
    type: 'float',
    of: ({ nextAttemptSeconds = 0, runsOn = false }) => (runsOn ? 0 : nextAttemptSeconds),
  },
  retry_host: { type: 'text', of: ({ retryHost }) => retryHost },
  attempt: { type: 'integer', of: ({ attempt }) => attempt },
  attempt_ends: { type: 'boolean', of: ({ attemptEnds }) => attemptEnds !== undefined },
  attempt_error: { type: 'text', of: ({ attemptEnds }) => attemptEnds?.error },
  attempt_log: { type: 'text', of: ({ attemptEnds }) => attemptEnds?.log ?? '' },
  attempt_failed: { type: 'boolean', of: ({ attemptEnds }) => attemptEnds?.failed ?? false },
  attempt_lost: { type: 'boolean', of: ({ attemptEnds }) => attemptEnds?.lost ?? false },
  leaves_queue: { type: 'boolean', of: ({ leavesQueue = false }) => leavesQueue },
};

/** Only for changes that set a cause, so that successful runs do not pay for them. */
export const causeColumns: Columns<ExecutionUpdate> = {
  cause: { type: 'text', of: ({ cause }) => cause },
  cause_key: { type: 'text', of: ({ cause = '' }) => (cause === '' ? null : groupKey(cause)) },
};

const setCause = sql`
    cause = coalesce(moved.cause, one.cause),
    cause_key = case when moved.cause is null then one.cause_key else moved.cause_key end,`;

const resolved = sql`('finished', 'skipped')`;

/** The log of an attempt has its own heading. An attempt without output adds nothing. */
export const endAttemptsSql = sql`attempt as (
  update execution_attempts
  set ended_at = greatest(moved.now, execution_attempts.started_at), error = moved.attempt_error,
    log = case when moved.attempt_log = '' then execution_attempts.log
      else ${shortenLog(sql`execution_attempts.log || moved.attempt_log`)} end
  from moved
  where moved.attempt_ends and execution_attempts.execution_id = moved.execution_id
    and execution_attempts.attempt = moved.attempt and execution_attempts.ended_at is null
  returning execution_attempts.execution_id, case when execution_attempts.log <> '' then format(e'--- attempt %s by %s at %s\n%s',
    execution_attempts.attempt, execution_attempts.worker,
    to_char(execution_attempts.started_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), execution_attempts.log) end as entry)`;

const longerLog = shortenLog(sql`one.run_log
  || coalesce(case when one.run_log <> '' then e'\n' else '' end || attempt.entry, '') || moved.appended_log`);

/** The time of failing starts with the first of several temporary failures in a row. A lost worker ends the series. */
const countFailures = sql`
    failing_since = case when not moved.attempt_ends then one.failing_since when moved.attempt_lost then null
      when moved.attempt_failed then coalesce(one.failing_since, moved.now)
      -- A stopping worker that returns the run does not end the series.
      when moved.next_attempt_seconds is not null then one.failing_since end,
    failures = case when moved.attempt_failed and not moved.attempt_lost and one.failing_since is null then 1
      else one.failures + moved.attempt_failed::integer end,
    lost_workers = one.lost_workers + moved.attempt_lost::integer,
    retry_host = case when moved.attempt_ends and moved.next_attempt_seconds is not null then moved.retry_host
      else one.retry_host end,
    retry_slot = one.retry_slot and not (moved.attempt_ends and moved.next_attempt_seconds is not null)`;

/** For the history. */
const valuesDigest = sql`, octet_length(one.result_values::text) as values_length,
  sha256(convert_to(one.result_values::text, 'UTF8')) as values_digest`;

export const updateExecutionsSql = ({
  hashesValues,
  cause,
}: {
  hashesValues: boolean;
  cause: boolean;
}) => sql`execution as (
  update callback_executions as one
  set status = moved.status, result = moved.result, version = one.version + 1,
    run_start = case when moved.status = 'running' then coalesce(one.run_start, greatest(moved.now, one.created))
      else one.run_start end,
    wait_start = case when moved.status = 'waiting'
      then coalesce(one.wait_start, greatest(moved.now, coalesce(one.run_start, one.created))) else one.wait_start end,
    finished = case when moved.status in ${resolved}
      then coalesce(one.finished, greatest(moved.now, coalesce(one.wait_start, one.run_start, one.created))) end,
    deadline = case when moved.status in ${resolved} then null
      when moved.timeout_minutes is null then one.deadline
        + case when one.deadline > moved.now then moved.pause_seconds * interval '1 second' else interval '0' end
      when moved.timeout_minutes > 0 then moved.now + moved.timeout_minutes * interval '1 minute' end,
    next_attempt_at = case when moved.next_attempt_seconds is not null
        then moved.now + moved.next_attempt_seconds * interval '1 second'
      when one.status = moved.status then one.next_attempt_at end,
    result_values = coalesce(moved.result_values, one.result_values),
    result_log = case when moved.result_log is not null then moved.result_log
      when moved.appended_result_log = '' then one.result_log
      else ${shortenLog(sql`one.result_log || moved.appended_result_log`)} end,
    last_error = coalesce(moved.last_error, one.last_error),${cause ? setCause : sql``}
    run_log = case when moved.run_log is not null then moved.run_log
      when attempt.entry is null and moved.appended_log = '' then one.run_log else ${longerLog} end,${countFailures}
  from moved left join attempt on attempt.execution_id = moved.execution_id
  where one.id = moved.execution_id
  returning one.id, one.callback_id, one.callback_version, one.action_id${hashesValues ? valuesDigest : sql``})`;

/** Deletes the jobs of executions that have not started. */
export const leaveQueueSql = sql`unqueued as (${deleteJobs(sql`
  select execution.id, callback_versions.queue
  from execution join moved on moved.execution_id = execution.id and moved.leaves_queue
    join callback_versions on callback_versions.callback_id = execution.callback_id
    and callback_versions.version = execution.callback_version`)})`;

/** Inserts the jobs of next attempts. */
export const nextAttemptsSql = ({ traced }: { traced: boolean }) =>
  sql`follow_up as (${insertJobs(
    sql`
  select execution.id, callback_versions.queue, moved.workflow_id, actions.bulk,
    moved.now + moved.next_attempt_seconds * interval '1 second', moved.next_attempt_seconds
    ${traced ? sql`, moved.traceparent` : sql``}
  from execution join moved on moved.execution_id = execution.id and moved.next_attempt_seconds is not null
    join actions on actions.id = execution.action_id
    join callback_versions on callback_versions.callback_id = execution.callback_id
    and callback_versions.version = execution.callback_version`,
    { traced },
  )})`;
