/**
 * Reads values that conditions read and that are not part of every snapshot: variables, external IDs, and parts of the result values
 * of executions. Whole result values can have megabytes, and most rules need none of them.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { prepare } from '../../database/prepare.ts';
import { idsOf, inBoundScope, type Scope } from '../scope.ts';

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

/** What was not asked for is null. */
export interface ConditionValues {
  variables: Record<string, unknown> | null;
  external_ids: Record<string, string> | null;
  subject_external_ids: Record<string, string> | null;
  /** By execution, in the order of its paths. */
  result_values: ReadonlyMap<number, StoredValue[]>;
}

interface OfVersion {
  id: number;
  version: number;
  scope: Scope;
  reads: ConditionReads;
}

type Row = Omit<ConditionValues, 'result_values'> & { result_values: [number, StoredValue[]][] | null };

const externalIds = (table: string, owner: string, id: string) => sql`(
  select coalesce(json_object_agg(external_systems.system_name, links.external_id), '{}')
  from ${sql.table(table)} as links join external_systems on external_systems.id = links.external_system_id
  where links.${sql.ref(owner)} = ${sql.ref(id)})`;

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

const findValues = prepare<OfVersion, Row>((bind) => {
  const asked = {
    variables: bind(({ reads }) => reads.variables),
    externalIds: bind(({ reads }) => reads.externalIds),
    subjectExternalIds: bind(({ reads }) => reads.subjectExternalIds),
    resultValues: bind(({ reads }) => namesOf(reads)),
    cohortIds: bind(({ scope }) => idsOf(scope)),
  };
  return sql<Row>`
    select case when ${asked.variables}::boolean then (
        select coalesce(json_object_agg(experiment_variables.name, experiment_variables.value), '{}')
        from experiment_variables where experiment_variables.experiment_id = experiments.id) end as variables,
      case when ${asked.externalIds}::boolean
        then ${externalIds('external_experiment_links', 'experiment_id', 'experiments.id')} end as external_ids,
      case when ${asked.subjectExternalIds}::boolean
        then ${externalIds('external_subject_links', 'subject_id', 'experiments.subject_id')} end as subject_external_ids,
      case when asked.result_values is not null then (${storedValues}) end as result_values
    from experiments cross join (select ${asked.resultValues}::jsonb as result_values) as asked
    where experiments.id = ${bind(({ id }) => id)} and experiments.version = ${bind(({ version }) => version)}
      and ${inBoundScope(asked.cohortIds, 'experiments.cohort_id')}`;
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

/** Undefined if the experiment is no longer in this version: every change of these values raises it. */
export async function findConditionValues(
  db: Db,
  scope: Scope,
  { id, version }: { id: number; version: number },
  reads: ConditionReads,
): Promise<ConditionValues | undefined> {
  const [row] = await findValues(db, { id, version, scope, reads });
  return row && { ...row, result_values: new Map(row.result_values ?? []) };
}
