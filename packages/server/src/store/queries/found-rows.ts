/** Reads what a search adds to the rows of its experiments. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { joinSurroundings, surroundings, type SurroundingsRow } from '../screens/experiment-rows.ts';
import { experimentIds, externalValuesSql } from '../study/external-values.ts';

export interface FoundDetails {
  id: number;
  changed_at: string | null;
  external_ids: Record<string, string>;
  variables: Record<string, unknown>;
}

/** Returns the details in the order of the ids, with the variables of these names. */
export async function readFoundDetails(
  db: Db,
  ids: readonly number[],
  variables: readonly string[],
): Promise<FoundDetails[]> {
  if (ids.length === 0) return [];
  const named = sql`(
    select coalesce(json_object_agg(variable.name, variable.value order by variable.name), '{}')
    from experiment_variables as variable
    where variable.experiment_id = page.id and variable.name = any(${[...variables]}::text[]))`;
  const changedAt = sql`(
    select actions.start_time from actions where actions.experiment_id = page.id order by actions.sequence desc limit 1)`;
  const { rows } = await sql<FoundDetails>`
    select page.id, ${changedAt} as changed_at,
      ${externalValuesSql(experimentIds, sql.ref('page.id'))} as external_ids,
      ${variables.length === 0 ? sql`'{}'::json` : named} as variables
    from unnest(${[...ids]}::bigint[]) with ordinality as page (id, place)
    order by page.place`.execute(db);
  return rows;
}

export interface FoundName extends SurroundingsRow {
  external_ids: Record<string, string>;
}

/** What a list of search results shows of each experiment, in one statement and in the order of the ids. */
export async function readFoundNames(db: Db, ids: readonly number[]): Promise<FoundName[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<FoundName>`
    select ${surroundings}, ${externalValuesSql(experimentIds, sql.ref('experiments.id'))} as external_ids
    from unnest(${[...ids]}::bigint[]) with ordinality as page (id, place)
    join experiments on experiments.id = page.id ${joinSurroundings}
    order by page.place`.execute(db);
  return rows;
}
