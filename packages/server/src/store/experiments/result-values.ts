/** Reads parts of the result values of executions. Whole values can have megabytes, and most rules need none of them. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';

type Path = readonly (string | number)[];

export interface ValuesToRead {
  executionId: number;
  paths: readonly Path[];
}

export interface StoredValue {
  /** The kind of the value after each step of the path. Null where there is none. */
  kinds: (string | null)[];
  value: unknown;
}

/**
 * By execution, in the order of its paths. Undefined if the experiment is no longer in this version: every change of result values
 * raises it. The values of an execution are decompressed once, not for each step.
 */
export async function findResultValues(
  db: Db,
  scope: Scope,
  { id, version }: { id: number; version: number },
  toRead: readonly ValuesToRead[],
): Promise<ReadonlyMap<number, StoredValue[]> | undefined> {
  const named = toRead.map(({ executionId, paths }) => ({
    id: executionId,
    paths: paths.map((path) => path.map(String)),
  }));
  const { rows } = await sql<{ id: number; found: StoredValue[] }>`
    select callback_executions.id, (
      select json_agg(json_build_object(
        'kinds', array(select jsonb_typeof(stored.whole #> given.steps[:depth])
          from generate_series(1, cardinality(given.steps)) as depth order by depth),
        'value', stored.whole #> given.steps) order by given.place)
      from (select paths.place, array(select jsonb_array_elements_text(paths.path)) as steps
        from jsonb_array_elements(named.paths) with ordinality as paths (path, place)) as given) as found
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named (id bigint, paths jsonb)
    join callback_executions on callback_executions.id = named.id
    join actions on actions.id = callback_executions.action_id
    join experiments on experiments.id = actions.experiment_id
    cross join lateral (select callback_executions.result_values || '{}' as whole offset 0) as stored
    where experiments.id = ${id} and experiments.version = ${version} and ${inScope(scope, 'experiments.cohort_id')}`.execute(
    db,
  );
  if (rows.length < toRead.length) return undefined;
  return new Map(rows.map((row) => [row.id, row.found]));
}
