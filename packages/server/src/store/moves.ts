/**
 * What a move reads and what it writes: one statement each (specification, section 3). The write happens only if
 * experiment and workflow are still what was read; otherwise it writes nothing, and the move is judged anew.
 */
import { sql } from 'kysely';
import { notFound } from '../errors.ts';
import type { Db } from '../database/connection.ts';
import { eventRow } from './events.ts';
import { historyRow, type Author } from './history.ts';
import { inScope, type Scope } from './scope.ts';

export interface OpenOrEndedExecution {
  id: number;
  callback: string;
  status: string;
  result: string;
  result_values: Record<string, unknown>;
  since: string;
}

/** Everything that conditions and rules read of an experiment. */
export interface MoveInputs {
  id: number;
  label: string;
  scandate: string | null;
  version: number;
  state_id: number;
  state_label: string;
  workflow_id: number;
  revision: number;
  cohort_id: number;
  cohort_label: string;
  subject_label: string;
  variables: Record<string, unknown>;
  external_ids: Record<string, string>;
  subject_external_ids: Record<string, string>;
  /** The latest action; null only for rows that were not made by this service. */
  action_id: number | null;
  executions: OpenOrEndedExecution[];
  now: string;
}

const texts = (table: string, owner: string, id: string) => sql`(
  select coalesce(json_object_agg(external_systems.system_name, links.external_id), '{}')
  from ${sql.table(table)} as links join external_systems on external_systems.id = links.external_system_id
  where links.${sql.ref(owner)} = ${sql.ref(id)})`;

const utc = (moment: ReturnType<typeof sql>) => sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function getMoveInputs(db: Db, scope: Scope, id: number): Promise<MoveInputs> {
  const { rows } = await sql<MoveInputs>`
    select experiments.id, experiments.label, experiments.scandate, experiments.version, experiments.state_id,
      experiments.workflow_id, experiments.cohort_id, states.label as state_label, workflows.revision,
      subjects.label as subject_label, cohorts.label as cohort_label, actions.id as action_id,
      clock_timestamp()::timestamptz(3) as now,
      ${texts('external_experiment_links', 'experiment_id', 'experiments.id')} as external_ids,
      ${texts('external_subject_links', 'subject_id', 'experiments.subject_id')} as subject_external_ids,
      (select coalesce(json_object_agg(experiment_variables.name, experiment_variables.value), '{}')
        from experiment_variables where experiment_variables.experiment_id = experiments.id) as variables,
      (select coalesce(json_agg(json_build_object(
          'id', callback_executions.id, 'callback', callback_versions.label, 'status', callback_executions.status,
          'result', callback_executions.result, 'result_values', callback_executions.result_values, 'since', ${utc(
            sql`coalesce(callback_executions.wait_start, callback_executions.run_start, callback_executions.created)`,
          )}) order by callback_executions.id), '[]')
        from callback_executions join callback_versions
          on callback_versions.callback_id = callback_executions.callback_id
          and callback_versions.version = callback_executions.callback_version
        where callback_executions.action_id = actions.id) as executions
    from experiments
    join states on states.id = experiments.state_id
    join workflows on workflows.id = experiments.workflow_id
    join subjects on subjects.id = experiments.subject_id
    join cohorts on cohorts.id = experiments.cohort_id
    left join actions on actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
    where experiments.id = ${id} and ${inScope(scope, 'experiments.cohort_id')}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound(`experiment with the id ${id}`);
  return row;
}

/** What a move and a creation write alike. */
export interface Entering {
  /** The move counts only if the workflow is still of this revision. */
  workflowId: number;
  revision: number;
  transitionId: number;
  destination: { id: number; label: string };
  /** One execution is made for each. */
  callbacks: readonly { id: number; version: number; initial_delay: number }[];
  /** How the action ended, where it ends at once. */
  end: { success: boolean; returnValue: string } | undefined;
  freetext: string;
}

export interface Move extends Entering {
  experimentId: number;
  /** The move counts only if the experiment is still what was read. */
  version: number;
  /** The label of the state that is left. */
  from: string;
  /** The latest action, where executions of it are still open: it ends, superseded by this one. */
  leftActionId: number | undefined;
}

export interface Creation extends Entering {
  subjectId: number;
  label: string;
  scandate: string | null;
}

/** The workflow's row is shared: an import waits for the moves that read the definition before it, and they for it. */
const shareWorkflow = ({ workflowId, revision }: Entering) => sql`workflow as (
  select workflows.id from workflows where workflows.id = ${workflowId} and workflows.revision = ${revision} for share)`;

/** Writes a move: all of it or, where something changed since it was read, nothing; then the answer is undefined. */
export async function writeMove(db: Db, author: Author, move: Move): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with ${shareWorkflow(move)}, moved as (
      update experiments
      set state_id = ${move.destination.id}, version = experiments.version + 1, action_sequence = experiments.action_sequence + 1
      where experiments.id = ${move.experimentId} and experiments.version = ${move.version} and exists (select from workflow)
      returning experiments.id, experiments.action_sequence, experiments.cohort_id
    ), ${insertAction(author, move)}, ${insertExecutions(move)}, ${supersede(move)},
    ${insertRecord(author, move, { before: { state: move.from }, after: {} })}
    select action.id from action`.execute(db);
  return rows[0]?.id;
}

/** Makes an experiment in the first state of its workflow; undefined where the workflow is not what was read. */
export async function writeCreation(db: Db, author: Author, creation: Creation): Promise<number | undefined> {
  const { label, scandate, subjectId } = creation;
  const { rows } = await sql<{ id: number }>`
    with ${shareWorkflow(creation)}, moved as (
      insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence)
      select subjects.id, subjects.cohort_id, workflow.id, ${creation.destination.id}, ${label}, ${scandate}::timestamp, 1
      from subjects cross join workflow where subjects.id = ${subjectId}
      returning experiments.id, experiments.action_sequence, experiments.cohort_id
    ), ${insertAction(author, creation)}, ${insertExecutions(creation)},
    ${insertRecord(author, creation, { before: null, after: { label, scandate, subject_id: subjectId } })}
    select moved.id from moved`.execute(db);
  return rows[0]?.id;
}

const insertAction = (author: Author, { transitionId, end, freetext }: Entering) => sql`action as (
  insert into actions
    (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, freetext, actor_kind, actor_id)
  select moved.id, moved.action_sequence, ${transitionId}, clock.now, case when ${end !== undefined} then clock.now end,
    ${end?.success ?? false}, ${end?.returnValue ?? ''}, ${freetext}, ${author.kind}, ${author.id}::bigint
  from moved cross join (select clock_timestamp() as now) as clock
  returning actions.id)`;

const insertExecutions = ({ callbacks }: Entering) => sql`executions as (
  insert into callback_executions (action_id, callback_id, callback_version, status)
  select action.id, callback.id, callback.version, case when callback.delay > 0 then 'created' else 'queued' end
  from action cross join unnest(
    ${callbacks.map((callback) => callback.id)}::bigint[],
    ${callbacks.map((callback) => callback.version)}::integer[],
    ${callbacks.map((callback) => callback.initial_delay)}::integer[]
  ) with ordinality as callback (id, version, delay, place)
  order by callback.place)`;

/** Executions of the left action that have not started are skipped; those that run go on, and choose nothing any more. */
const supersede = ({ leftActionId }: Move) => sql`skipped as (
  update callback_executions
  set status = 'skipped', finished = greatest(clock_timestamp(), callback_executions.created), next_attempt_at = null
  from action
  where callback_executions.action_id = ${leftActionId ?? null}::bigint and callback_executions.status in ('created', 'queued')
), superseded as (
  update actions
  set end_time = greatest(clock_timestamp(), actions.start_time), success = false,
    return_value = json_build_object('superseded_by', action.id)::text
  from action
  where actions.id = ${leftActionId ?? null}::bigint)`;

interface Changed {
  before: object | null;
  after: object;
}

function insertRecord(author: Author, { destination, transitionId, freetext }: Entering, changed: Changed) {
  const after = { ...changed.after, state: destination.label, state_id: destination.id, transition_id: transitionId };
  const experiment = { objectKind: 'experiment', objectId: 0 };
  const entry = historyRow(author, { ...experiment, before: changed.before, after, reason: freetext });
  const event = eventRow({ ...experiment, kind: author.operation, data: { ...changed.before, ...after } });
  return sql`recorded as (
    insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
    select ${entry.actor_kind}, ${entry.actor_id}::bigint, ${entry.request_id}, ${entry.operation}, ${entry.object_kind},
      moved.id, ${entry.before}::jsonb, ${entry.after}::jsonb || jsonb_build_object('action_id', action.id), ${entry.reason}
    from moved cross join action
  ), announced as (
    insert into events (kind, object_kind, object_id, cohort_id, data)
    select ${event.kind}, ${event.object_kind}, moved.id, moved.cohort_id,
      ${event.data}::jsonb || jsonb_build_object('action_id', action.id)
    from moved cross join action)`;
}

/** The transition that corrections between these states go along, made when it is first needed. */
export async function getCorrection(
  db: Db,
  workflowId: number,
  sourceId: number,
  destinationId: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
      values (${workflowId}, 'correction', ${sourceId}, ${destinationId})
      on conflict on constraint transitions_identity_unique do nothing
      returning transitions.id
    )
    select made.id from made
    union all
    select transitions.id from transitions
    where transitions.kind = 'correction' and transitions.source_state_id = ${sourceId}
      and transitions.destination_state_id = ${destinationId}
    limit 1`.execute(db);
  const [row] = rows;
  // Somebody else made it since this statement began, so that it was neither made nor seen: the next one sees it.
  return row ? row.id : getCorrection(db, workflowId, sourceId, destinationId);
}
