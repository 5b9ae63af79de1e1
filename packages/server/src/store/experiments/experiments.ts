import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { prepare } from '../../database/prepare.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { Conflict, longPause } from '../../database/retry-on-conflict.ts';
import { idsOf, inBoundScope, inScopeOfList, type Scope } from '../scope.ts';
import { orderOf, type ExperimentFilter } from './experiment-order.ts';
import { countChangeOfCohort } from './state-counts.ts';
import { prepareConfirming, type Caller } from '../people/caller.ts';
import { experimentIds, externalValuesSql } from '../study/external-values.ts';
import { rejectErased } from '../study/withdrawals.ts';

/** With `subjectId`, only of this subject. */
export type ExperimentKey = { id: number; subjectId?: number } | { label: string; subjectId: number };

export interface ExperimentRow {
  id: number;
  label: string;
  scandate: string | null;
  subject_id: number;
  subject_label: string;
  state_id: number;
  state_label: string;
  cohort_id: number;
  version: number;
}

export const describeExperiment = (key: ExperimentKey) =>
  'id' in key ? `experiment with id ${key.id}` : `experiment "${key.label}" of this subject`;

const selectExperiments = (db: Db) =>
  db
    .selectFrom('experiments')
    .innerJoin('subjects', 'subjects.id', 'experiments.subject_id')
    .innerJoin('states', 'states.id', 'experiments.state_id')
    .select([
      'experiments.cohort_id',
      'experiments.id',
      'experiments.label',
      'experiments.scandate',
      'experiments.subject_id',
      'experiments.state_id',
      'experiments.version',
    ])
    .select(['subjects.label as subject_label', 'states.label as state_label']);

interface Scoped {
  cohortIds: number[] | null;
}

const selectById = prepare<Scoped & { id: number }, ExperimentRow>((bind, db) => {
  const [id, cohortIds] = [bind((values) => values.id), bind((values) => values.cohortIds)];
  const experiments = selectExperiments(db).where('experiments.id', '=', id);
  return experiments.where(inBoundScope(cohortIds, 'experiments.cohort_id'));
});

const selectBySubject = prepare<Scoped & { label: string; subjectId: number }, ExperimentRow>((bind, db) => {
  const [subjectId, label] = [bind((values) => values.subjectId), bind((values) => values.label)];
  const cohortIds = bind((values) => values.cohortIds);
  const experiments = selectExperiments(db).where('experiments.subject_id', '=', subjectId);
  return experiments.where('experiments.label', '=', label).where(inBoundScope(cohortIds, 'experiments.cohort_id'));
});

export async function findExperiment(db: Db, scope: Scope, key: ExperimentKey): Promise<ExperimentRow | undefined> {
  const cohortIds = idsOf(scope);
  const [row] =
    'id' in key ? await selectById(db, { id: key.id, cohortIds }) : await selectBySubject(db, { ...key, cohortIds });
  const isOfSubject = key.subjectId === undefined || row?.subject_id === key.subjectId;
  return isOfSubject ? row : undefined;
}

/** An experiment with its maps, which responses show. */
export type ShownExperiment = ExperimentRow & {
  external_ids: Record<string, string>;
  variable_map: Record<string, unknown>;
};

const selectShown = (db: Db, id: RawBuilder<number>) =>
  selectExperiments(db)
    .where('experiments.id', '=', id)
    .select(externalValuesSql(experimentIds, sql.ref('experiments.id')).as('external_ids'))
    .select(variablesSql(sql.ref('experiments.id')).as('variable_map'));

const selectShownById = prepare<Scoped & { id: number }, ShownExperiment>((bind, db) => {
  const [id, cohortIds] = [bind((values) => values.id), bind((values) => values.cohortIds)];
  return selectShown(db, id).where(inBoundScope(cohortIds, 'experiments.cohort_id'));
});

const selectShownConfirming = prepareConfirming<ShownExperiment>((id, db) => selectShown(db, id));

/** Until the caller's permissions are known, the caller's row is read in the same statement. */
export async function getShownExperiment(db: Db, caller: Caller, id: number): Promise<ShownExperiment> {
  const row = caller.confirm
    ? await selectShownConfirming(db, caller, id)
    : (await selectShownById(db, { id, cohortIds: idsOf(caller.scope) }))[0];
  if (!row) throw notFound(describeExperiment({ id }));
  return row;
}

export async function getExperiment(db: Db, scope: Scope, key: ExperimentKey): Promise<ExperimentRow> {
  const row = await findExperiment(db, scope, key);
  if (!row) throw notFound(describeExperiment(key));
  return row;
}

/** Locks the experiment against changes and moves until the end of the transaction. Rejects it if its subject was erased. */
export async function lockExperiment(tx: Tx, scope: Scope, id: number): Promise<ExperimentRow> {
  const row = tx.selectFrom('experiments').select('experiments.id').where('experiments.id', '=', id).forNoKeyUpdate();
  if (!(await row.skipLocked().executeTakeFirst())) {
    await getExperiment(tx, scope, { id });
    await rejectWhileImported(tx, id);
    await row.execute();
  }
  const experiment = await getExperiment(tx, scope, { id });
  await rejectErased(tx, id);
  return experiment;
}

/** Those of the given versions that no other transaction has locked. */
export async function lockUnchanged(
  tx: Tx,
  given: readonly { id: number; version: number }[],
): Promise<{ id: number; cohort_id: number }[]> {
  const { rows } = await sql<{ id: number; cohort_id: number }>`
    select experiments.id, experiments.cohort_id
    from unnest(${given.map(({ id }) => id)}::bigint[], ${given.map(({ version }) => version)}::bigint[]) as given (id, version)
    join experiments on experiments.id = given.id and experiments.version = given.version
    order by experiments.id for no key update of experiments skip locked`.execute(tx);
  return rows;
}

/**
 * An import can lock many experiments for a long time, so a request does not wait for it with its connection. Other changes of
 * an experiment are short. Also keeps imports out until the end of the transaction.
 */
async function rejectWhileImported(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql`
    select from workflows where workflows.id = (select experiments.workflow_id from experiments where experiments.id = ${id})
    for key share skip locked`.execute(tx);
  if (rows.length === 0) throw new Conflict('The workflow is being changed.', longPause);
}

/** Lists the experiments that match all parts of the filter. */
export function listExperiments(database: Database, scope: Scope, filter: ExperimentFilter, page: Page) {
  const { subjectIds, stateIds, scandate, label } = filter;
  const states = stateIds && anyOf('experiments.state_id', stateIds);
  const scanned = scandate ? scannedWithin(scandate) : anything;
  const order = orderOf(scope, filter, {
    ...(states && { states }),
    exceptLabel: sql<boolean>`${states ?? anything} and ${scanned}`,
  });
  const experiments = database.db
    .selectFrom('experiments')
    .select(['experiments.id', 'experiments.label'])
    .where(inScopeOfList(scope, 'experiments.cohort_id', order))
    // The order of a single state includes its condition. With both, each page starts at the first experiment of the state.
    .where(order.parent?.column === 'experiments.state_id' ? anything : (states ?? anything))
    .where(subjectIds ? anyOf('experiments.subject_id', subjectIds) : anything)
    .where(label === undefined ? anything : sql<boolean>`experiments.label = ${label}`)
    .where(scanned);
  return readList(database, experiments, { id: 'experiments.id', ...order }, page);
}

const anything = sql<boolean>`true`;

const scannedWithin = ({ from, span }: NonNullable<ExperimentFilter['scandate']>) => sql<boolean>`
  experiments.scandate >= ${from}::timestamp(3) and experiments.scandate < ${from}::timestamp(3) + ${span}::interval`;

const anyOf = (column: string, ids: readonly number[]) => sql<boolean>`${sql.ref(column)} = any(${[...ids]}::bigint[])`;

/** The variables of an experiment, `{name: value}`, as a subquery. */
export const variablesSql = (experimentId: RawBuilder<unknown>) => sql<Record<string, unknown>>`(
  select coalesce(json_object_agg(variable.name, variable.value order by variable.name), '{}')
  from experiment_variables as variable where variable.experiment_id = ${experimentId})`;

const selectVariables = prepare<number, { values: Record<string, unknown> }>(
  (bind) => sql`select ${variablesSql(bind((id) => id))} as values`,
);

export async function readVariables(db: Db, experimentId: number): Promise<Record<string, unknown>> {
  const [row] = await selectVariables(db, experimentId);
  return row?.values ?? {};
}

/** Called after changes that conditions can read. Moves that read the experiment before start over. */
export async function raiseVersion(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('experiments')
    .set((experiment) => ({ version: experiment('version', '+', 1) }))
    .where('experiments.id', '=', id)
    .execute();
}

export interface ExperimentValues {
  label: string;
  scandate: string | null;
  subject_id: number;
  /** The cohort of the subject. The database rejects any other. */
  cohort_id: number;
}

export async function updateExperiment(
  tx: Tx,
  { id, cohort_id: leftCohortId }: Pick<ExperimentRow, 'id' | 'cohort_id'>,
  changes: Partial<ExperimentValues>,
): Promise<void> {
  await tx
    .updateTable('experiments')
    .set((experiment) => ({ ...changes, version: experiment('version', '+', 1) }))
    .where('experiments.id', '=', id)
    .execute();
  if (changes.cohort_id === undefined) return;
  await countChangeOfCohort(tx, { experimentId: id }, { left: leftCohortId, entered: changes.cohort_id });
}

/** The variables with these names, by the id of the experiment. */
export async function readVariablesOf(
  db: Db,
  ids: readonly number[],
  names: readonly string[],
): Promise<ReadonlyMap<number, Record<string, unknown>>> {
  const { rows } = await sql<{ id: number; variables: Record<string, unknown> }>`
    select experiment_id as id, jsonb_object_agg(name, value) as variables from experiment_variables
    where experiment_id = any(${[...ids]}::bigint[]) and name = any(${[...names]}::text[]) group by experiment_id`.execute(
    db,
  );
  return new Map(rows.map(({ id, variables }) => [id, variables]));
}

/** Returns the previous value as `{name: value}`, or `{}` if the variable was not set. */
export async function setVariable(
  tx: Tx,
  experimentId: number,
  name: string,
  value: unknown,
): Promise<Record<string, unknown>> {
  const json = JSON.stringify(value);
  const { [name]: before } = await readVariables(tx, experimentId);
  await tx
    .insertInto('experiment_variables')
    .values({ experiment_id: experimentId, name, value: json })
    .onConflict((conflict) => conflict.columns(['experiment_id', 'name']).doUpdateSet({ value: json }))
    .execute();
  return before === undefined ? {} : { [name]: before };
}
