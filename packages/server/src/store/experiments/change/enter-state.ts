/** SQL for a new action: the action, one execution and job per callback, and the end of the superseded action. */
import { sql } from 'kysely';
import { deleteJobs, insertJobs } from '../../../jobs/insert-jobs.ts';
import type { Author } from '../../record/history.ts';

/** What moves and creations have in common. */
export interface StateEntry {
  author: Pick<Author, 'kind' | 'id'>;
  transitionId: number;
  destination: { id: number; label: string };
  /** Whether this is part of a bulk move, whose runs have a lower priority. */
  bulk: boolean;
  /** Each gets one execution. */
  callbacks: readonly { id: number; version: number; initial_delay: number; queue: string }[];
  /** The outcome, if the action ends at once. */
  end: { success: boolean; returnValue: string } | undefined;
  freetext: string;
}

export interface NewAction extends StateEntry {
  /** The latest action, if it has open executions. The new action supersedes it. */
  leftActionId?: number | undefined;
  /** For a retry: the retried action, and the executions whose results it keeps. */
  retryOf?: number | undefined;
  carried?: readonly number[];
}

export const insertActionSql = (action: NewAction) => sql`action as (
  insert into actions
    (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, freetext, actor_kind, actor_id,
     retry_of, carried, bulk)
  select moved.id, moved.action_sequence, ${action.transitionId}, clock.now,
    case when ${action.end !== undefined} then clock.now end, ${action.end?.success ?? false},
    ${action.end?.returnValue ?? ''}, ${action.freetext}, ${action.author.kind}, ${action.author.id}::bigint,
    ${action.retryOf ?? null}::bigint, ${action.carried ?? []}::bigint[], ${action.bulk}
  from moved cross join clock
  returning actions.id)`;

export const insertExecutionsSql = ({ callbacks, bulk }: StateEntry) =>
  callbacks.length === 0
    ? []
    : [
        sql`executions as (
          insert into callback_executions (action_id, callback_id, callback_version, status, next_attempt_at)
          select action.id, callback.id, callback.version, case when callback.delay > 0 then 'created' else 'queued' end,
            case when callback.delay > 0 then clock.now + callback.delay * interval '1 second' end
          from action cross join clock cross join unnest(
            ${callbacks.map((callback) => callback.id)}::bigint[],
            ${callbacks.map((callback) => callback.version)}::integer[],
            ${callbacks.map((callback) => callback.initial_delay)}::integer[]
          ) with ordinality as callback (id, version, delay, place)
          order by callback.place
          returning callback_executions.id, callback_executions.callback_id, callback_executions.callback_version)`,
        sql`jobs as (${insertJobs(sql`
          select executions.id, callback_versions.queue, moved.workflow_id, ${bulk}::boolean,
            clock.now + callback_versions.initial_delay * interval '1 second', callback_versions.initial_delay
          from executions cross join moved cross join clock join callback_versions
            on callback_versions.callback_id = executions.callback_id
            and callback_versions.version = executions.callback_version`)})`,
      ];

/**
 * Skips executions of the superseded action that have not started. Running ones continue but no longer affect the experiment.
 * Those between two attempts fail, because there are no more attempts (rule 11).
 */
export const supersedeSql = ({ leftActionId }: NewAction) =>
  leftActionId === undefined
    ? []
    : [
        sql`skipped as (
          update callback_executions
          set status = case when callback_executions.status = 'running' then 'finished' else 'skipped' end,
            result = case when callback_executions.status = 'running' then 'failed' else 'none' end,
            finished = greatest(clock.now, coalesce(callback_executions.run_start, callback_executions.created)),
            next_attempt_at = null, deadline = null, version = callback_executions.version + 1
          from action cross join clock cross join callback_versions
          where callback_executions.action_id = ${leftActionId}
            and (callback_executions.status in ('created', 'queued')
              or (callback_executions.status = 'running' and callback_executions.next_attempt_at is not null))
            and callback_versions.callback_id = callback_executions.callback_id
            and callback_versions.version = callback_executions.callback_version
          returning callback_executions.id, callback_versions.queue)`,
        sql`jobs_left as (${deleteJobs(sql`select skipped.id, skipped.queue from skipped`)})`,
        sql`superseded as (
          update actions
          set end_time = greatest(clock.now, actions.start_time), success = false,
            return_value = json_build_object('superseded_by', action.id)::text, version = actions.version + 1
          from action cross join clock
          where actions.id = ${leftActionId})`,
      ];
