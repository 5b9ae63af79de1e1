/** Reads the experiments of a page of search results by their ids. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { joinSurroundings, surroundings, type SurroundingsRow } from '../screens/experiment-rows.ts';
import { experimentIds, externalValuesSql } from '../study/external-values.ts';
import { changedAt, enteredAt } from './match-query.ts';

export interface FoundRow extends SurroundingsRow {
  in_state_since: string | null;
  changed_at: string | null;
  external_ids: Record<string, string>;
  variables: Record<string, unknown>;
}

/** Returns the rows in the order of the ids, with the variables of these names. */
export async function readFoundRows(db: Db, ids: readonly number[], variables: readonly string[]): Promise<FoundRow[]> {
  if (ids.length === 0) return [];
  const named = sql`(
    select coalesce(json_object_agg(variable.name, variable.value order by variable.name), '{}')
    from experiment_variables as variable
    where variable.experiment_id = experiments.id and variable.name = any(${[...variables]}::text[]))`;
  const { rows } = await sql<FoundRow>`
    select ${surroundings}, ${enteredAt} as in_state_since, ${changedAt} as changed_at,
      ${externalValuesSql(experimentIds, sql.ref('experiments.id'))} as external_ids,
      ${variables.length === 0 ? sql`'{}'::json` : named} as variables
    from unnest(${[...ids]}::bigint[]) with ordinality as page (id, place)
    join experiments on experiments.id = page.id ${joinSurroundings}
    order by page.place`.execute(db);
  return rows;
}
