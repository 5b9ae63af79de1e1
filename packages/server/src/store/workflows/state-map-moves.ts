/**
 * Moves all experiments out of states that an import retires, as its state map says. These are full moves (rules 1 and 11), made
 * by one statement while the workflow is locked.
 */
import { sql } from 'kysely';
import type { Tx } from '../../database/connection.ts';
import { insertJobs } from '../../jobs/insert-jobs.ts';
import type { Author } from '../record/history.ts';
import { skipExecutionsSql } from '../experiments/change/enter-state.ts';
import { countMovesSql } from '../experiments/state-counts.ts';
import { isNotWithdrawn } from '../study/withdrawals.ts';

export interface StateMapMoves {
  workflowId: number;
  /** From one state id to another. */
  routes: readonly { from: number; to: number }[];
  freetext: string;
}

/** Returns the number of moved experiments. */
export async function moveExperiments(tx: Tx, author: Author, moves: StateMapMoves): Promise<number> {
  if (moves.routes.length === 0) return 0;
  await ensureCorrections(tx, moves);
  const { rows } = await sql<{ moved: number }>`
    with ${selectRoutes(moves)}, ${moveAll()}, ${countMovesSql}, ${insertActions(author, moves)}, ${supersede()}, ${insertExecutions(moves)},
      ${closeIncidents()}, ${insertRecord(author, moves)}
    select count(*) as moved from moved`.execute(tx);
  return rows[0]?.moved ?? 0;
}

const routesTable = ({ routes }: StateMapMoves) => sql`
  unnest(${routes.map(({ from }) => from)}::bigint[], ${routes.map(({ to }) => to)}::bigint[]) as given (from_id, to_id)`;

/** Creates the transitions of these moves, which are not listed or offered. */
async function ensureCorrections(tx: Tx, moves: StateMapMoves): Promise<void> {
  await sql`
    insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
    select ${moves.workflowId}, 'correction', given.from_id, given.to_id from ${routesTable(moves)}
    on conflict on constraint transitions_identity_unique do nothing`.execute(tx);
}

const selectRoutes = (moves: StateMapMoves) => sql`clock as materialized (select clock_timestamp() as now),
  routes as materialized (
    select given.from_id, given.to_id, transitions.id as transition_id, source.label as from_label,
      destination.label as to_label, not exists (
        select from callbacks where callbacks.state_id = given.to_id and not callbacks.retired) as rests, exists (
        select from transitions as exits where exits.source_state_id = given.to_id and exits.kind = 'defined'
          and not exits.retired) as leads_on
    from ${routesTable(moves)}
    join transitions on transitions.source_state_id = given.from_id
      and transitions.destination_state_id = given.to_id and transitions.kind = 'correction'
    join states as source on source.id = given.from_id
    join states as destination on destination.id = given.to_id)`;

/** Locks the experiments in the order of their ids first, so that two transactions cannot deadlock. */
const moveAll = () => sql`locked as materialized (
    select experiments.id from experiments
    where experiments.state_id in (select routes.from_id from routes) and ${isNotWithdrawn}
    order by experiments.id for no key update
  ), moved as (
    update experiments
    set state_id = routes.to_id, version = experiments.version + 1, action_sequence = experiments.action_sequence + 1,
      resting_sequence = case when routes.rests and routes.leads_on then experiments.action_sequence + 1 end,
      resting_since = clock_timestamp()
    from locked cross join routes
    where experiments.id = locked.id and experiments.state_id = routes.from_id
    returning experiments.id, experiments.action_sequence, experiments.cohort_id, routes.from_id, routes.to_id,
      routes.transition_id, routes.rests)`;

/**
 * The action into a state without callbacks ends at once (rule 4). The results are joined through their tables, because the
 * planner expects one row from each CTE and would compare every row of one with every row of the other.
 */
const insertActions = (author: Author, { freetext }: StateMapMoves) => sql`created as (
    insert into actions
      (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, freetext, actor_kind, actor_id,
       bulk)
    select moved.id, moved.action_sequence, moved.transition_id, clock.now, case when moved.rests then clock.now end,
      moved.rests, case when moved.rests then 'No callback for state' else '' end, ${freetext}, ${author.kind},
      ${author.id}::bigint, true
    from moved cross join clock order by moved.id
    returning actions.id, actions.experiment_id, actions.sequence, actions.transition_id
  ), entered as (
    select experiments.id, experiments.cohort_id, created.id as action_id, created.sequence, routes.transition_id,
      routes.from_label, routes.to_label, routes.from_id, routes.to_id
    from created
    join routes on routes.transition_id = created.transition_id
    join experiments on experiments.id = created.experiment_id)`;

const supersede = () => sql`left_actions as (
    select actions.id, entered.action_id as superseded_by from entered
    join actions on actions.experiment_id = entered.id and actions.sequence = entered.sequence - 1
    where exists (
      select from callback_executions
      where callback_executions.action_id = actions.id and callback_executions.status not in ('finished', 'skipped'))
  ), ${skipExecutionsSql(sql`left_actions cross join clock`, { actionId: 'left_actions.id', now: 'clock.now' })}, superseded as (
    update actions
    set end_time = greatest(clock.now, actions.start_time), success = false,
      return_value = json_build_object('superseded_by', left_actions.superseded_by)::text,
      version = actions.version + 1
    from left_actions cross join clock
    where actions.id = left_actions.id)`;

const insertExecutions = ({ workflowId }: StateMapMoves) => sql`executions as (
    insert into callback_executions (action_id, callback_id, callback_version, status, next_attempt_at)
    select entered.action_id, callbacks.id, callbacks.current_version,
      case when callback_versions.initial_delay > 0 then 'created' else 'queued' end,
      case when callback_versions.initial_delay > 0 then clock.now + callback_versions.initial_delay * interval '1 second' end
    from entered cross join clock
    join callbacks on callbacks.state_id = entered.to_id and not callbacks.retired
    join callback_versions
      on callback_versions.callback_id = callbacks.id and callback_versions.version = callbacks.current_version
    order by entered.action_id, callback_versions.position, callbacks.id
    returning callback_executions.id, callback_executions.callback_id, callback_executions.callback_version
  ), jobs as (${insertJobs(sql`
    select executions.id, callback_versions.queue, ${workflowId}::bigint, true,
      clock.now + callback_versions.initial_delay * interval '1 second', callback_versions.initial_delay
    from executions cross join clock join callback_versions on callback_versions.callback_id = executions.callback_id
      and callback_versions.version = executions.callback_version`)})`;

/** The new action closes them (rule 16). Unclaimed executions are skipped and can no longer be claimed. */
const closeIncidents = () => sql`closed as (
    update incidents set closed_at = greatest(clock.now, incidents.opened_at)
    from entered cross join clock
    where incidents.experiment_id = entered.id and incidents.closed_at is null)`;

/** Writes the same history entry and event as a single move. */
function insertRecord({ kind, id, requestId, operation }: Author, { freetext }: StateMapMoves) {
  return sql`changes as (
    select entered.id, entered.cohort_id, jsonb_build_object('state', entered.from_label) as before,
      jsonb_build_object('state', entered.to_label, 'state_id', entered.to_id, 'transition_id', entered.transition_id,
        'action_id', entered.action_id) as after, jsonb_build_object('from_state_id', entered.from_id) as event_data
    from entered
  ), recorded as (
    insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
    select ${kind}, ${id}::bigint, ${requestId}, ${operation}, 'experiment', changes.id, changes.before, changes.after,
      ${freetext}
    from changes order by changes.id
  ), announced as (
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select ${operation}, 'experiment', changes.id, changes.cohort_id, changes.after || changes.event_data
    from changes order by changes.id)`;
}
