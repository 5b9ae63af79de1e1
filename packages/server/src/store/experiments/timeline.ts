/** Reads the timeline of an experiment, newest first: actions in one statement, executions in another. */
import type { actionKinds } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { shownCause } from '../runs/shown-cause.ts';
import type { RowExecution } from '../screens/experiment-rows.ts';

export interface TimelineRow {
  id: number;
  sequence: number;
  kind: (typeof actionKinds)[number];
  from_id: number;
  from_label: string;
  to_id: number;
  to_label: string;
  start_time: string;
  end_time: string | null;
  success: boolean;
  freetext: string;
  return_value: string;
  actor_kind: 'user' | 'execution' | 'engine' | 'operator';
  actor_id: number | null;
  actor_name: string;
}

/** `before` is the sequence of the last action shown. Needs no scope, because access to an experiment includes its timeline. */
export async function listTimeline(
  db: Db,
  experimentId: number,
  { before, limit }: { before: number; limit: number },
): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`
    select actions.id, actions.sequence, actions.start_time, actions.end_time, actions.success, actions.freetext,
      actions.return_value, actions.actor_kind, actions.actor_id,
      case when actions.retry_of is not null then 'retry' when transitions.kind = 'defined' then 'move'
        else transitions.kind end as kind,
      source.id as from_id, source.label as from_label, destination.id as to_id, destination.label as to_label,
      coalesce(nullif(users.name, ''), users.username, callback_versions.label, '') as actor_name
    from (
      select * from actions where actions.experiment_id = ${experimentId} and actions.sequence < ${before}
      order by actions.sequence desc limit ${limit}) as actions
    join transitions on transitions.id = actions.transition_id
    join states as source on source.id = transitions.source_state_id
    join states as destination on destination.id = transitions.destination_state_id
    left join users on actions.actor_kind = 'user' and users.id = actions.actor_id
    left join callback_executions as one on actions.actor_kind = 'execution' and one.id = actions.actor_id
    left join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    order by actions.sequence desc`.execute(db);
  return rows;
}

export interface TimelineExecution extends RowExecution {
  function: string;
  created: string;
  run_start: string | null;
  finished: string | null;
  last_error: string | null;
  cause: string | null;
  worker: string;
}

/** In definition order, each with the worker of its latest attempt. */
export async function readTimelineExecutions(db: Db, actionIds: readonly number[]): Promise<TimelineExecution[]> {
  const { rows } = await sql<TimelineExecution>`
    select one.id, one.action_id, callback_versions.label as callback, callback_versions.function, one.status, one.result,
      one.attempt, one.created, one.run_start, one.finished, one.next_attempt_at, one.last_error, ${shownCause} as cause,
      coalesce(execution_attempts.worker, '') as worker
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    left join execution_attempts on execution_attempts.execution_id = one.id and execution_attempts.attempt = one.attempt
    where one.action_id = any(${actionIds}::bigint[])
    order by callback_versions.position, one.id`.execute(db);
  return rows;
}
