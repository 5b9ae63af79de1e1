/**
 * Reads what the engine needs of an experiment in one statement, and therefore from one snapshot. Changes based on it are only
 * written if the experiment's version and the workflow's revision are unchanged (rule 1). Values that only some conditions read
 * come later, from condition-values.ts.
 */
import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Db } from '../../database/connection.ts';
import { arrayOf } from '../../database/given-rows.ts';
import { prepare } from '../../database/prepare.ts';
import { isOverdue } from '../runs/sweeps.ts';
import { prepareConfirming, type Caller } from '../people/caller.ts';
import { idsOf, inBoundScope, type Scope } from '../scope.ts';

/** An execution of the latest action, or one whose result a retry carries over. */
export interface ActionExecution {
  id: number;
  callback_id: number;
  callback: string;
  status: string;
  /** `none` until it is finished, even if a result was reported. */
  result: string;
  /** Absent until it is read, because it can be large. */
  result_values?: unknown;
  variable_map: Record<string, string>;
  since: string;
  /** False if it is carried over. */
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
  /** Whether the subject has withdrawn. Its experiments no longer move. */
  withdrawn: boolean;
  /** Absent unless a condition reads them. */
  variables?: Record<string, unknown>;
  external_ids?: Record<string, string>;
  subject_external_ids?: Record<string, string>;
  /** The latest action. Null only for rows that this service did not create. */
  action_id: number | null;
  action_sequence: number;
  action_transition_id: number | null;
  /** Whether the latest action is part of a bulk move. */
  bulk: boolean;
  /** Whether it has open incidents. */
  has_incidents: boolean;
  /** In definition order. */
  executions: ActionExecution[];
  now: string;
}

/** One execution, even if its action is no longer the latest. */
export interface ExecutionInputs {
  id: number;
  action_id: number;
  callback: string;
  callback_version: number;
  condition: string;
  queue: string;
  run_timeout: number;
  wait_timeout: number;
  /** Minutes. */
  retry_for: number;
  /** Seconds. */
  retry_first: number;
  status: string;
  /** The reported result, even if it is not finished. */
  result: string;
  /** Whether it has result values. */
  has_values: boolean;
  attempt: number;
  /** Whether an attempt is running. */
  attempt_open: boolean;
  /** The last heartbeat of that attempt. */
  heartbeat_at: string | null;
  /** Whether its deadline has passed. Between two attempts, whether no running time is left. */
  overdue: boolean;
  failures: number;
  /** Seconds since the first of the temporary failures in a row. Null if the last attempt did not end with one. */
  failing_for: number | null;
  /** Workers that stopped sending heartbeats during this run. */
  lost_workers: number;
  version: number;
}

const utc = (moment: RawBuilder<unknown>) => sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const executionsJson = (executions: RawBuilder<unknown>) => sql`(
  select json_agg(json_build_object(
      'id', execution.id, 'callback_id', execution.callback_id, 'callback', callback_versions.label, 'status', execution.status,
      'result', case when execution.status = 'finished' then execution.result else 'none' end,
      'variable_map', callback_versions.variable_map, 'own', execution.action_id = actions.id,
      'since', ${utc(sql`coalesce(execution.wait_start, execution.run_start, execution.created)`)})
    order by callback_versions.position, execution.id)
  from (${executions}) as execution join callback_versions
    on callback_versions.callback_id = execution.callback_id and callback_versions.version = execution.callback_version)`;

const ofAction = sql`select * from callback_executions where callback_executions.action_id = actions.id`;
const carriedOver = sql`select * from callback_executions where callback_executions.id = any(actions.carried)`;

/** Only the action of a retry carries executions over. */
const latestExecutions = sql`coalesce(case when actions.carried <> '{}'
  then ${executionsJson(sql`${ofAction} union all ${carriedOver}`)} else ${executionsJson(ofAction)} end, '[]')`;

const columns = sql`experiments.id, experiments.label, experiments.scandate, experiments.version, experiments.state_id,
  experiments.workflow_id, experiments.cohort_id, experiments.action_sequence, states.label as state_label, workflows.revision,
  subjects.label as subject_label, subjects.withdrawn_at is not null as withdrawn, cohorts.label as cohort_label,
  actions.id as action_id, actions.transition_id as action_transition_id, coalesce(actions.bulk, false) as bulk,
  exists (select from incidents where incidents.experiment_id = experiments.id and incidents.closed_at is null) as has_incidents,
  clock_timestamp()::timestamptz(3) as now, ${latestExecutions} as executions`;

const related = sql`
  join states on states.id = experiments.state_id
  join workflows on workflows.id = experiments.workflow_id
  join subjects on subjects.id = experiments.subject_id
  join cohorts on cohorts.id = experiments.cohort_id
  left join actions on actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence`;

interface OfExperiment {
  id: number;
  scope: Scope;
}

const findInputs = prepare<OfExperiment, MoveInputs>((bind) => {
  const cohortIds = bind(({ scope }) => idsOf(scope));
  return sql<MoveInputs>`
    select ${columns} from experiments${related}
    where experiments.id = ${bind(({ id }) => id)} and ${inBoundScope(cohortIds, 'experiments.cohort_id')}`;
});

export async function getMoveInputs(db: Db, scope: Scope, id: number): Promise<MoveInputs> {
  const [row] = await findInputs(db, { id, scope });
  if (!row) throw notFound(`experiment with id ${id}`);
  return row;
}

const findInputsOfMany = prepare<{ ids: readonly number[]; scope: Scope }, MoveInputs>((bind) => {
  const cohortIds = bind(({ scope }) => idsOf(scope));
  const ids = bind((values) => values.ids);
  return sql<MoveInputs>`
    select ${columns} from unnest(${arrayOf(ids, 'bigint')}) as given (id) join experiments on experiments.id = given.id${related}
    where ${inBoundScope(cohortIds, 'experiments.cohort_id')}`;
});

/** Those that exist and are in the scope. */
export const listMoveInputs = (db: Db, scope: Scope, ids: readonly number[]): Promise<MoveInputs[]> =>
  findInputsOfMany(db, { ids, scope });

const findInputsConfirming = prepareConfirming(
  (id) => sql<MoveInputs>`(select ${columns} from experiments${related} where experiments.id = ${id})`,
);

/** Until the caller's permissions are known, the caller's row is read in the same statement. */
export async function getMoveInputsFor(db: Db, caller: Caller, id: number): Promise<MoveInputs> {
  if (!caller.confirm) return getMoveInputs(db, caller.scope, id);
  const row = await findInputsConfirming(db, caller, id);
  if (!row) throw notFound(`experiment with id ${id}`);
  return row;
}

export interface InputsOfExecution {
  inputs: MoveInputs;
  execution: ExecutionInputs;
}

const executionColumn = sql`json_build_object(
      'id', one.id, 'action_id', one.action_id, 'callback', version.label, 'callback_version', one.callback_version,
      'condition', version.condition, 'queue', version.queue, 'run_timeout', version.run_timeout,
      'wait_timeout', version.wait_timeout, 'retry_for', version.retry_for, 'retry_first', version.retry_first,
      'failing_for', extract(epoch from clock_timestamp() - one.failing_since)::float, 'lost_workers', one.lost_workers,
      'status', one.status, 'result', one.result, 'has_values', one.result_values <> '{}', 'attempt', one.attempt,
      'failures', one.failures, 'version', one.version, 'overdue', coalesce(${isOverdue}, false),
      'attempt_open', execution_attempts.execution_id is not null,
      'heartbeat_at', execution_attempts.heartbeat_at::text) as execution`;

/** `its_action` is the action of the execution `one`, and `actions` is the latest one of its experiment. */
const ofExecutions = sql`
    from callback_executions as one
    join callback_versions as version
      on version.callback_id = one.callback_id and version.version = one.callback_version
    left join execution_attempts on execution_attempts.execution_id = one.id
      and execution_attempts.attempt = one.attempt and execution_attempts.ended_at is null
    join actions as its_action on its_action.id = one.action_id
    join experiments on experiments.id = its_action.experiment_id${related}`;

type ExecutionRow = MoveInputs & { execution: ExecutionInputs };

const findInputsOfExecutions = prepare<{ ids: readonly number[]; scope: Scope }, ExecutionRow>((bind) => {
  const cohortIds = bind(({ scope }) => idsOf(scope));
  return sql<ExecutionRow>`
    select ${columns}, ${executionColumn}${ofExecutions}
    where one.id = any(${arrayOf(
      bind(({ ids }) => ids),
      'bigint',
    )}) and ${inBoundScope(cohortIds, 'experiments.cohort_id')}`;
});

/** Reads the same for the experiments of executions. Executions that do not exist are left out. */
export async function listInputsOfExecutions(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<InputsOfExecution[]> {
  const rows = await findInputsOfExecutions(db, { ids, scope });
  return rows.map(({ execution, ...inputs }) => ({ inputs, execution }));
}

export async function getInputsOfExecution(db: Db, scope: Scope, id: number): Promise<InputsOfExecution> {
  const [found] = await listInputsOfExecutions(db, scope, [id]);
  if (!found) throw notFound(`callback execution with id ${id}`);
  return found;
}

/** A program whose secret is not checked yet. */
export interface UnconfirmedProgram {
  secretHash: Buffer;
  /** Throws if no attempt has this secret. */
  confirm: (attempt: number | null) => Promise<void>;
}

const findInputsAndAttempt = prepare<{ id: number; secretHash: Buffer }, ExecutionRow & { opened: number }>(
  (bind) => sql`
    select ${columns}, ${executionColumn}, opened.attempt as opened${ofExecutions}
    join execution_attempts as opened
      on opened.execution_id = one.id and opened.secret_hash = ${bind(({ secretHash }) => secretHash)}
    where one.id = ${bind(({ id }) => id)}`,
);

/** Reads the attempt of the secret in the same statement. The secret gives access to the execution in any cohort. */
export async function getInputsForSecret(
  db: Db,
  { secretHash, confirm }: UnconfirmedProgram,
  id: number,
): Promise<InputsOfExecution> {
  const [row] = await findInputsAndAttempt(db, { id, secretHash });
  await confirm(row?.opened ?? null);
  if (!row) throw notFound(`callback execution with id ${id}`);
  const { execution, opened: _opened, ...inputs } = row;
  return { inputs, execution };
}
