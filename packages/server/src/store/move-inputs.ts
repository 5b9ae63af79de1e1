/**
 * Everything that the rules read of an experiment, by one statement and therefore of one moment. What is written upon it
 * counts only if the experiment's version and the workflow's revision are still those that were read (rule 1).
 */
import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../errors.ts';
import type { Db } from '../database/connection.ts';
import { leaseSeconds } from './attempts.ts';
import { inScope, type Scope } from './scope.ts';

/** An execution of the latest action, or one whose outcome that action carries over. */
export interface OpenOrEndedExecution {
  id: number;
  callback_id: number;
  callback: string;
  status: string;
  result: string;
  result_values: Record<string, unknown>;
  variable_map: Record<string, string>;
  since: string;
  /** False for one that is carried over. */
  own: boolean;
}

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
  /** The subject has withdrawn: nothing moves any more. */
  withdrawn: boolean;
  variables: Record<string, unknown>;
  external_ids: Record<string, string>;
  subject_external_ids: Record<string, string>;
  /** The latest action; null only for rows that were not made by this service. */
  action_id: number | null;
  action_sequence: number;
  action_transition_id: number | null;
  /** In definition order. */
  executions: OpenOrEndedExecution[];
  now: string;
}

/** One execution, whether or not its action is still the latest. */
export interface ExecutionInputs {
  id: number;
  action_id: number;
  callback: string;
  callback_version: number;
  condition: string;
  queue: string;
  run_timeout: number;
  wait_timeout: number;
  status: string;
  result: string;
  attempt: number;
  /** Whether somebody runs it now. */
  attempt_open: boolean;
  /** Whether that somebody has been silent for too long. */
  lease_over: boolean;
  /** Whether its time is over. */
  overdue: boolean;
  failures: number;
  version: number;
}

const texts = (table: string, owner: string, id: string) => sql`(
  select coalesce(json_object_agg(external_systems.system_name, links.external_id), '{}')
  from ${sql.table(table)} as links join external_systems on external_systems.id = links.external_system_id
  where links.${sql.ref(owner)} = ${sql.ref(id)})`;

const utc = (moment: RawBuilder<unknown>) => sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const executionsSeen = () => sql`(
  select coalesce(json_agg(json_build_object(
      'id', seen.id, 'callback_id', seen.callback_id, 'callback', callback_versions.label, 'status', seen.status,
      'result', seen.result, 'result_values', seen.result_values, 'variable_map', callback_versions.variable_map,
      'own', seen.action_id = actions.id,
      'since', ${utc(sql`coalesce(seen.wait_start, seen.run_start, seen.created)`)})
    order by callback_versions.position, seen.id), '[]')
  from (
    select * from callback_executions where callback_executions.action_id = actions.id
    union all
    select * from callback_executions where callback_executions.id = any(actions.carried)
  ) as seen
  join callback_versions
    on callback_versions.callback_id = seen.callback_id and callback_versions.version = seen.callback_version)`;

const select = (more: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql<MoveInputs>`
  select experiments.id, experiments.label, experiments.scandate, experiments.version, experiments.state_id,
    experiments.workflow_id, experiments.cohort_id, experiments.action_sequence, states.label as state_label,
    workflows.revision, subjects.label as subject_label, subjects.withdrawn_at is not null as withdrawn,
    cohorts.label as cohort_label, actions.id as action_id,
    actions.transition_id as action_transition_id, clock_timestamp()::timestamptz(3) as now,
    ${texts('external_experiment_links', 'experiment_id', 'experiments.id')} as external_ids,
    ${texts('external_subject_links', 'subject_id', 'experiments.subject_id')} as subject_external_ids,
    (select coalesce(json_object_agg(experiment_variables.name, experiment_variables.value), '{}')
      from experiment_variables where experiment_variables.experiment_id = experiments.id) as variables,
    ${executionsSeen()} as executions${more}
  from experiments
  join states on states.id = experiments.state_id
  join workflows on workflows.id = experiments.workflow_id
  join subjects on subjects.id = experiments.subject_id
  join cohorts on cohorts.id = experiments.cohort_id
  left join actions on actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
  where ${where}`;

export async function getMoveInputs(db: Db, scope: Scope, id: number): Promise<MoveInputs> {
  const where = sql`experiments.id = ${id} and ${inScope(scope, 'experiments.cohort_id')}`;
  const { rows } = await select(sql``, where).execute(db);
  const [row] = rows;
  if (!row) throw notFound(`experiment with the id ${id}`);
  return row;
}

export interface InputsOfExecution {
  inputs: MoveInputs;
  execution: ExecutionInputs;
}

/** The same of the experiment that an execution belongs to. */
export async function getInputsOfExecution(db: Db, scope: Scope, id: number): Promise<InputsOfExecution> {
  const execution = sql`, (
    select json_build_object(
      'id', one.id, 'action_id', one.action_id, 'callback', callback_versions.label,
      'callback_version', one.callback_version, 'condition', callback_versions.condition, 'queue', callback_versions.queue,
      'run_timeout', callback_versions.run_timeout, 'wait_timeout', callback_versions.wait_timeout,
      'status', one.status, 'result', one.result, 'attempt', one.attempt, 'failures', one.failures, 'version', one.version,
      'overdue', coalesce(one.deadline <= now(), false),
      'attempt_open', execution_attempts.execution_id is not null,
      'lease_over', coalesce(execution_attempts.heartbeat_at < now() - ${sql.lit(leaseSeconds)} * interval '1 second', false))
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    left join execution_attempts on execution_attempts.execution_id = one.id
      and execution_attempts.attempt = one.attempt and execution_attempts.ended_at is null
    where one.id = ${id}) as execution`;
  const where = sql`experiments.id = (
      select actions.experiment_id from callback_executions join actions on actions.id = callback_executions.action_id
      where callback_executions.id = ${id})
    and ${inScope(scope, 'experiments.cohort_id')}`;
  const { rows } = await select(execution, where).execute(db);
  const row = rows[0] as (MoveInputs & { execution: ExecutionInputs }) | undefined;
  if (!row) throw notFound(`callback execution with the id ${id}`);
  return { inputs: row, execution: row.execution };
}
