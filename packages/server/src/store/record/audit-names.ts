/** The names of the objects to which entries refer by an id, with one statement for each kind of object. */
import type { AuditName as Name } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import type { AuditRow } from './audit-entries.ts';

export type AuditName = Static<typeof Name>;
type NameKind = AuditName['kind'];

/** The fields of entries that are ids of these. */
const fields: Readonly<Record<string, NameKind>> = {
  assignee_id: 'user',
  bulk_operation_id: 'bulk_operation',
  cohort_id: 'cohort',
  experiment_id: 'experiment',
  import_id: 'import',
  scantype_id: 'scantype',
  subject_id: 'subject',
  transition_id: 'transition',
};

interface NameRow {
  id: number;
  label: string;
  state?: AuditName['state'];
  cohort_id?: number | null;
  target?: string | null;
  experiments?: number | null;
  reason?: string;
}

const inIds = (column: string, ids: readonly number[]) => sql`${sql.ref(column)} = any(${[...ids]}::bigint[])`;

/** Study data and what belongs to its cohorts is named within the scope only. */
const statements: Record<NameKind, (ids: readonly number[], scope: Scope) => RawBuilder<NameRow>> = {
  user: (ids) => sql<NameRow>`
    select users.id, coalesce(nullif(users.name, ''), users.username) as label from users where ${inIds('users.id', ids)}`,
  cohort: (ids, scope) => sql<NameRow>`
    select cohorts.id, cohorts.label from cohorts where ${inIds('cohorts.id', ids)} and ${inScope(scope, 'cohorts.id')}`,
  subject: (ids, scope) => sql<NameRow>`
    select subjects.id, subjects.label from subjects
    where ${inIds('subjects.id', ids)} and ${inScope(scope, 'subjects.cohort_id')}`,
  experiment: (ids, scope) => sql<NameRow>`
    select experiments.id, experiments.label from experiments
    where ${inIds('experiments.id', ids)} and ${inScope(scope, 'experiments.cohort_id')}`,
  scantype: (ids) => sql<NameRow>`
    select scantypes.id, scantypes.protocol as label from scantypes where ${inIds('scantypes.id', ids)}`,
  transition: (ids) => sql<NameRow>`
    select transitions.id, states.label, jsonb_build_object('id', states.id, 'label', states.label) as state
    from transitions join states on states.id = transitions.source_state_id where ${inIds('transitions.id', ids)}`,
  callback_execution: (ids, scope) => sql<NameRow>`
    select callback_executions.id, callbacks.label from callback_executions
    join callbacks on callbacks.id = callback_executions.callback_id
    join actions on actions.id = callback_executions.action_id
    join experiments on experiments.id = actions.experiment_id
    where ${inIds('callback_executions.id', ids)} and ${inScope(scope, 'experiments.cohort_id')}`,
  bulk_operation: (ids, scope) => sql<NameRow>`
    select bulk_operations.id, bulk_operations.kind as label, bulk_operations.change ->> 'state' as target,
      bulk_operations.done as experiments, bulk_operations.reason
    from bulk_operations where ${inIds('bulk_operations.id', ids)} and ${sql.lit(scope.kind === 'all')}`,
  import: (ids, scope) => sql<NameRow>`
    select imports.id, imports.file_name as label, imports.cohort_id, imports.new_experiments as experiments
    from imports where ${inIds('imports.id', ids)} and ${inScope(scope, 'imports.cohort_id')}`,
};

export async function readAuditNames(db: Db, scope: Scope, rows: readonly AuditRow[]): Promise<AuditName[]> {
  const wanted = Map.groupBy(rows.flatMap(referencesOf), ({ kind }) => kind);
  const found = await Promise.all(
    [...wanted].map(async ([kind, references]) => {
      const ids = [...new Set(references.map(({ id }) => id))];
      return (await statements[kind](ids, scope).execute(db)).rows.map((row) => nameOf(kind, row));
    }),
  );
  return found.flat();
}

function referencesOf({ before, after, object_kind: kind, object_id }: AuditRow): { kind: NameKind; id: number }[] {
  const named = [before, after].flatMap((values) =>
    Object.entries(values ?? {}).flatMap(([field, id]) => {
      const of = fields[field];
      return of === undefined || typeof id !== 'number' ? [] : [{ kind: of, id }];
    }),
  );
  return kind === 'callback_execution' ? [...named, { kind, id: object_id }] : named;
}

const nameOf = (kind: NameKind, row: NameRow): AuditName => ({
  state: null,
  cohort_id: null,
  target: null,
  experiments: null,
  reason: '',
  ...row,
  kind,
});
