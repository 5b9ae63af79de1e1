/**
 * Reads values that conditions read and that are not part of every snapshot: variables, external IDs, and parts of the result values
 * of executions. Whole result values can have megabytes, and most rules need none of them.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { rowsOf, type Columns } from '../../database/given-rows.ts';
import { prepare } from '../../database/prepare.ts';
import { idsOf, inBoundScope, type Scope } from '../scope.ts';
import { variablesSql } from './experiments.ts';
import { experimentIds, externalValuesSql, subjectIds } from '../study/external-values.ts';

type Path = readonly (string | number)[];

export interface ValuesToRead {
  executionId: number;
  paths: readonly Path[];
}

export interface ConditionReads {
  variables: boolean;
  externalIds: boolean;
  subjectExternalIds: boolean;
  resultValues: readonly ValuesToRead[];
}

export interface StoredValue {
  /** The kind of the value after each step of the path. Null where there is none. */
  kinds: (string | null)[];
  value: unknown;
}

/** Fields that were not requested are null. */
export interface ConditionValues {
  variables: Record<string, unknown> | null;
  external_ids: Record<string, string> | null;
  subject_external_ids: Record<string, string> | null;
  /** By execution, in the order of its paths. */
  result_values: ReadonlyMap<number, StoredValue[]>;
}

/** What to read of an experiment in this version. */
export interface ReadsOfExperiment {
  id: number;
  version: number;
  reads: ConditionReads;
}

type Row = Omit<ConditionValues, 'result_values'> & { id: number; result_values: [number, StoredValue[]][] | null };

/** The values of an execution are decompressed once, not for each step. */
const storedValues = sql`
  select json_agg(json_build_array(callback_executions.id, (
    select json_agg(json_build_object(
      'kinds', array(select jsonb_typeof(stored.whole #> given.steps[:depth])
        from generate_series(1, cardinality(given.steps)) as depth order by depth),
      'value', stored.whole #> given.steps) order by given.place)
    from (select paths.place, array(select jsonb_array_elements_text(paths.path)) as steps
      from jsonb_array_elements(named.paths) with ordinality as paths (path, place)) as given)))
  from jsonb_to_recordset(asked.result_values) as named (id bigint, paths jsonb)
  join callback_executions on callback_executions.id = named.id
  join actions on actions.id = callback_executions.action_id and actions.experiment_id = experiments.id
  cross join lateral (select callback_executions.result_values || '{}' as whole offset 0) as stored`;

const askedColumns: Columns<ReadsOfExperiment> = {
  id: { type: 'bigint', of: ({ id }) => id },
  version: { type: 'bigint', of: ({ version }) => version },
  variables: { type: 'boolean', of: ({ reads }) => reads.variables },
  external_ids: { type: 'boolean', of: ({ reads }) => reads.externalIds },
  subject_external_ids: { type: 'boolean', of: ({ reads }) => reads.subjectExternalIds },
  result_values: { type: 'jsonb', of: ({ reads }) => namesOf(reads) },
};

const listValues = prepare<{ asked: readonly ReadsOfExperiment[]; scope: Scope }, Row>((bind) => {
  const cohortIds = bind(({ scope }) => idsOf(scope));
  return sql<Row>`
    with ${rowsOf('asked', bind, askedColumns, ({ asked }) => asked, { one: false })}
    select experiments.id,
      case when asked.variables then ${variablesSql(sql.ref('experiments.id'))} end as variables,
      case when asked.external_ids
        then ${externalValuesSql(experimentIds, sql.ref('experiments.id'))} end as external_ids,
      case when asked.subject_external_ids
        then ${externalValuesSql(subjectIds, sql.ref('experiments.subject_id'))} end as subject_external_ids,
      case when asked.result_values is not null then (${storedValues}) end as result_values
    from asked join experiments on experiments.id = asked.id and experiments.version = asked.version
    where ${inBoundScope(cohortIds, 'experiments.cohort_id')}`;
});

const namesOf = ({ resultValues }: ConditionReads): string | null =>
  resultValues.length === 0
    ? null
    : JSON.stringify(
        resultValues.map(({ executionId, paths }) => ({
          id: executionId,
          paths: paths.map((path) => path.map(String)),
        })),
      );

/** Undefined if the experiment is in another version. */
export type FindConditionValues = (asked: ReadsOfExperiment) => Promise<ConditionValues | undefined>;

/** By experiment. Those in another version are left out: every change of these values raises the version. */
export async function listConditionValues(
  db: Db,
  scope: Scope,
  asked: readonly ReadsOfExperiment[],
): Promise<ReadonlyMap<number, ConditionValues>> {
  const rows = await listValues(db, { asked, scope });
  return new Map(rows.map((row) => [row.id, { ...row, result_values: new Map(row.result_values ?? []) }]));
}
