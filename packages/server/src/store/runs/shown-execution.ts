/**
 * Reads an execution and everything that a response shows with it in one statement, except long lists. A part that the caller did
 * not request is not read. The text of the statement is the same for all requests, so that PostgreSQL plans it once.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { prepare } from '../../database/prepare.ts';
import { notFound } from '../../errors.ts';
import type { ActionRow } from '../experiments/actions.ts';
import { variablesSql, type ShownExperiment } from '../experiments/experiments.ts';
import { idsOf, inBoundScope, type Scope } from '../scope.ts';
import type { CohortRow } from '../study/cohorts.ts';
import { cohortUrls, experimentIds, externalValuesSql, subjectIds } from '../study/external-values.ts';
import type { SubjectRow } from '../study/subjects.ts';
import type { CallbackRow } from '../workflows/callbacks.ts';
import { externalSystemsSql } from './attempts.ts';
import type { ExecutionOutput, ExecutionRow } from './executions.ts';
import { shownCause } from './shown-cause.ts';

/** The parts that are read only on request, named by their paths in the response. */
export const executionParts = [
  'action.executions',
  'callback',
  'cohort',
  'cohort.external_urls',
  'experiment',
  'experiment.external_ids',
  'experiment.variable_map',
  'subject',
  'subject.external_ids',
  'external_systems',
  'result_log',
  'run_log',
  'result_values',
] as const;

export type ExecutionPart = (typeof executionParts)[number];

type Texts = Record<string, string>;

/** Parts that were not requested are null. */
export interface ShownExecution extends ExecutionRow, ExecutionOutput {
  cause: string | null;
  action: ActionRow & { executions: number[] };
  callback: CallbackRow;
  cohort: CohortRow & { external_urls: Texts };
  experiment: ShownExperiment;
  subject: SubjectRow & { external_ids: Texts };
  external_systems: Texts;
}

export async function getShownExecution(
  db: Db,
  scope: Scope,
  id: number,
  parts: readonly ExecutionPart[],
): Promise<ShownExecution> {
  const [row] = await findShown(db, { id, scope, parts });
  if (!row) throw notFound(`callback execution with id ${id}`);
  return nest(row) as unknown as ShownExecution;
}

interface Wanted {
  id: number;
  scope: Scope;
  parts: readonly ExecutionPart[];
}

const findShown = prepare<Wanted, Record<string, unknown>>((bind) => {
  const cohortIds = bind(({ scope }) => idsOf(scope));
  return sql<Record<string, unknown>>`
    select one.id, one.action_id, one.callback_id, one.callback_version, one.status, one.result, one.created, one.run_start,
      one.wait_start, one.finished, one.attempt, one.next_attempt_at, one.last_error, ${shownCause} as cause, one.version, ${objects},
      ${part('action.executions', executionIds)},
      ${part('cohort.external_urls', externalValuesSql(cohortUrls, sql.ref('experiments.cohort_id')))},
      ${part('experiment.external_ids', externalValuesSql(experimentIds, sql.ref('experiments.id')))},
      ${part('experiment.variable_map', variablesSql(sql.ref('experiments.id')))},
      ${part('subject.external_ids', externalValuesSql(subjectIds, sql.ref('subjects.id')))},
      ${part('external_systems', externalSystemsSql)},
      ${part('result_log', sql`one.result_log`)}, ${part('run_log', sql`one.run_log`)},
      ${part('result_values', sql`one.result_values`)}
    from (select ${bind(({ parts }) => parts)}::text[] as parts offset 0) as requested cross join callback_executions as one
    join actions on actions.id = one.action_id
    join experiments on experiments.id = actions.experiment_id
    join subjects on subjects.id = experiments.subject_id
    left join states on states.id = ${idFor(sql`experiments.state_id`, 'experiment')}
    left join cohorts on cohorts.id = ${idFor(sql`experiments.cohort_id`, 'cohort', 'subject')}
    left join callbacks on callbacks.id = ${idFor(sql`one.callback_id`, 'callback')}
    left join callback_versions as version
      on version.callback_id = callbacks.id and version.version = one.callback_version
    left join states as callback_state on callback_state.id = callbacks.state_id
    left join workflows on workflows.id = callback_state.workflow_id
    where one.id = ${bind(({ id }) => id)} and ${inBoundScope(cohortIds, 'experiments.cohort_id')}`;
});

/**
 * `requested` hides the parameter from the planner. If the planner saw it, it would plan the statement for each request that wants
 * few parts, which takes longer than to run it.
 */
const wants = (...names: ExecutionPart[]) => sql`requested.parts && ${sql.lit(`{${names.join()}}`)}::text[]`;

const part = (name: ExecutionPart, value: RawBuilder<unknown>) =>
  sql`case when ${wants(name)} then ${value} end as ${sql.id(name)}`;

/** With the condition beside the id, PostgreSQL would read the row and then drop it. */
const idFor = (id: RawBuilder<unknown>, ...names: ExecutionPart[]) => sql`case when ${wants(...names)} then ${id} end`;

/** Columns named `object.column`. */
const objects = sql`
  experiments.id as experiment_id, experiments.label as experiment_label, experiments.cohort_id,
  subjects.id as subject_id, subjects.label as subject_label,
  actions.id as "action.id", actions.start_time as "action.start_time", actions.end_time as "action.end_time",
  actions.return_value as "action.return_value", actions.success as "action.success", actions.freetext as "action.freetext",
  actions.transition_id as "action.transition_id", actions.retry_of as "action.retry_of",
  experiments.id as "action.experiment_id", experiments.label as "action.experiment_label",
  experiments.id as "experiment.id", experiments.label as "experiment.label", experiments.scandate as "experiment.scandate",
  experiments.state_id as "experiment.state_id", states.label as "experiment.state_label",
  subjects.id as "experiment.subject_id", subjects.label as "experiment.subject_label",
  subjects.id as "subject.id", subjects.label as "subject.label", subjects.date_of_birth as "subject.date_of_birth",
  subjects.withdrawn_at as "subject.withdrawn_at", subjects.erased_at as "subject.erased_at",
  cohorts.id as "subject.cohort_id", cohorts.label as "subject.cohort_label",
  cohorts.id as "cohort.id", cohorts.label as "cohort.label", cohorts.description as "cohort.description",
  callbacks.id as "callback.id", version.version as "callback.version", version.label as "callback.label",
  version.description as "callback.description", version.function as "callback.function",
  version.condition as "callback.condition", version.callback_arguments::text as "callback.callback_arguments",
  version.initial_delay as "callback.initial_delay", version.run_timeout as "callback.run_timeout",
  version.wait_timeout as "callback.wait_timeout", version.retry_for as "callback.retry_for",
  version.retry_first as "callback.retry_first", callback_state.id as "callback.state_id",
  callback_state.label as "callback.state_label", workflows.label as "callback.workflow_label"`;

const executionIds = sql`array(
  select sibling.id from callback_executions as sibling where sibling.action_id = one.action_id order by sibling.id)`;

/** `{'cohort.label': x}` becomes `{cohort: {label: x}}`. */
function nest(row: Record<string, unknown>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(row)) {
    const [object = '', column] = path.split('.', 2);
    if (column === undefined) nested[object] = value;
    else Object.assign((nested[object] ??= {}), { [column]: value });
  }
  return nested;
}
