/** What a new action writes: itself, one execution and one job per callback, and the end of the action it leaves. */
import { sql } from 'kysely';
import { deleteJobs, insertJobs } from '../jobs/insert-jobs.ts';
import type { Author } from './history.ts';

/** What a move and a creation write alike. */
export interface Entering {
  /** Who causes it. */
  author: Pick<Author, 'kind' | 'id'>;
  transitionId: number;
  destination: { id: number; label: string };
  /** One execution is made for each. */
  callbacks: readonly { id: number; version: number; initial_delay: number; queue: string }[];
  /** How the action ended, where it ends at once. */
  end: { success: boolean; returnValue: string } | undefined;
  freetext: string;
}

export interface NewAction extends Entering {
  /** The latest action, where executions of it are still open: it ends, superseded by this one. */
  leftActionId?: number | undefined;
  /** A retry: of which action, and whose outcomes it keeps. */
  retryOf?: number | undefined;
  carried?: readonly number[];
}

export const insertAction = (action: NewAction) => sql`action as (
  insert into actions
    (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, freetext, actor_kind, actor_id,
     retry_of, carried)
  select moved.id, moved.action_sequence, ${action.transitionId}, clock.now,
    case when ${action.end !== undefined} then clock.now end, ${action.end?.success ?? false},
    ${action.end?.returnValue ?? ''}, ${action.freetext}, ${action.author.kind}, ${action.author.id}::bigint,
    ${action.retryOf ?? null}::bigint, ${action.carried ?? []}::bigint[]
  from moved cross join clock
  returning actions.id)`;

export const insertExecutions = ({ callbacks }: Entering) =>
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
          select executions.id, callback_versions.queue, callback_versions.initial_delay
          from executions join callback_versions on callback_versions.callback_id = executions.callback_id
            and callback_versions.version = executions.callback_version`)})`,
      ];

/**
 * Executions of the left action that have not started are skipped; those that run go on, and choose nothing any more; those
 * between two attempts have failed, as there is no further one (rule 11).
 */
export const supersede = ({ leftActionId }: NewAction) =>
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
