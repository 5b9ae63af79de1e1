/** SQL for a new action: the action, one execution and job per callback, and the end of the superseded action. */
import { sql, type RawBuilder } from 'kysely';
import { rowsOf, type Columns } from '../../../database/given-rows.ts';
import type { Bind } from '../../../database/prepare.ts';
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

export const entryColumns: Columns<NewAction> = {
  to_id: { type: 'bigint', of: ({ destination }) => destination.id },
  transition_id: { type: 'bigint', of: ({ transitionId }) => transitionId },
  bulk: { type: 'boolean', of: ({ bulk }) => bulk },
  ends: { type: 'boolean', of: ({ end }) => end !== undefined },
  success: { type: 'boolean', of: ({ end }) => end?.success ?? false },
  return_value: { type: 'text', of: ({ end }) => end?.returnValue ?? '' },
  freetext: { type: 'text', of: ({ freetext }) => freetext },
  actor_kind: { type: 'text', of: ({ author }) => author.kind },
  actor_id: { type: 'bigint', of: ({ author }) => author.id },
  retry_of: { type: 'bigint', of: ({ retryOf }) => retryOf },
  // Text, because an array of arrays would need rows of equal length.
  carried: { type: 'text', of: ({ carried = [] }) => `{${carried.join(',')}}` },
};

/** Only for changes that belong to a trace, so that others do not pay for it. */
export const traceColumns: Columns<{ traceparent?: string | undefined }> = {
  traceparent: { type: 'text', of: ({ traceparent }) => traceparent },
};

export const insertActionsSql = sql`action as (
  insert into actions
    (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, freetext, actor_kind, actor_id,
     retry_of, carried, bulk)
  select moved.experiment_id, moved.action_sequence, moved.transition_id, moved.now, case when moved.ends then moved.now end,
    moved.success, moved.return_value, moved.freetext, moved.actor_kind, moved.actor_id, moved.retry_of,
    moved.carried::bigint[], moved.bulk
  from moved where moved.transition_id is not null
  returning actions.id, actions.experiment_id)`;

/** A callback of a state that is entered. */
export interface CalledCallback {
  /** The position of the change among the changes of the statement. */
  change: number;
  callback: StateEntry['callbacks'][number];
}

export const calledBy = (entry: StateEntry | undefined, index: number): CalledCallback[] =>
  entry?.callbacks.map((callback) => ({ change: index + 1, callback })) ?? [];

const calledColumns: Columns<CalledCallback> = {
  change: { type: 'integer', of: ({ change }) => change },
  callback_id: { type: 'bigint', of: ({ callback }) => callback.id },
  version: { type: 'integer', of: ({ callback }) => callback.version },
  delay: { type: 'integer', of: ({ callback }) => callback.initial_delay },
  queue: { type: 'text', of: ({ callback }) => callback.queue },
};

/** The callbacks of a state are called in definition order. `one`: there is one callback in all. */
export const callCallbacksSql = (
  bind: Bind<{ called: readonly CalledCallback[] }>,
  { one, traced }: { one: boolean; traced: boolean },
) => sql`
${rowsOf('called', bind, calledColumns, ({ called }) => called, { one })}, calls as ${one ? sql`not materialized` : sql`materialized`} (
  select called.*, action.id as action_id, moved.workflow_id, moved.bulk, moved.now${traced ? sql`, moved.traceparent` : sql``}
  from moved join action on action.experiment_id = moved.experiment_id join called on called.change = moved.position
), executions as (
  insert into callback_executions (action_id, callback_id, callback_version, status, next_attempt_at)
  select calls.action_id, calls.callback_id, calls.version, case when calls.delay > 0 then 'created' else 'queued' end,
    case when calls.delay > 0 then calls.now + calls.delay * interval '1 second' end
  from calls ${one ? sql`` : sql`order by calls.position`}
  returning callback_executions.id, callback_executions.action_id, callback_executions.callback_id
), jobs as (${insertJobs(
  sql`
  select executions.id, calls.queue, calls.workflow_id, calls.bulk, calls.now + calls.delay * interval '1 second', calls.delay
    ${traced ? sql`, calls.traceparent` : sql``}
  from executions join calls on calls.action_id = executions.action_id and calls.callback_id = executions.callback_id`,
  { traced },
)})`;

export const supersededColumns: Columns<NewAction> = {
  left_action_id: { type: 'bigint', of: ({ leftActionId }) => leftActionId },
};

/**
 * Skips executions of superseded actions that have not started. Running ones continue but no longer affect the experiment. Those
 * between two attempts fail, because there are no more attempts (rule 11). The condition excludes statuses instead of listing them,
 * because the planner might read the index of all unclaimed executions for each action (6 s for 5,000 experiments).
 */
export const skipExecutionsSql = (
  from: RawBuilder<unknown>,
  { actionId, now }: { actionId: string; now: string },
) => sql`skipped as (
  update callback_executions
  set status = case when callback_executions.status = 'running' then 'finished' else 'skipped' end,
    result = case when callback_executions.status = 'running' then 'failed' else 'none' end,
    finished = greatest(${sql.ref(now)}, coalesce(callback_executions.run_start, callback_executions.created)),
    next_attempt_at = null, deadline = null, version = callback_executions.version + 1
  from ${from} cross join callback_versions
  where callback_executions.action_id = ${sql.ref(actionId)}
    and callback_executions.status not in ('waiting', 'finished', 'skipped')
    and (callback_executions.status <> 'running' or callback_executions.next_attempt_at is not null)
    and callback_versions.callback_id = callback_executions.callback_id
    and callback_versions.version = callback_executions.callback_version
  returning callback_executions.id, callback_versions.queue
), jobs_left as (${deleteJobs(sql`select skipped.id, skipped.queue from skipped`)})`;

export const supersedeSql = sql`${skipExecutionsSql(sql`moved`, {
  actionId: 'moved.left_action_id',
  now: 'moved.now',
})}, superseded as (
  update actions
  set end_time = greatest(moved.now, actions.start_time), success = false,
    return_value = json_build_object('superseded_by', action.id)::text, version = actions.version + 1
  from moved join action on action.experiment_id = moved.experiment_id
  where actions.id = moved.left_action_id)`;
