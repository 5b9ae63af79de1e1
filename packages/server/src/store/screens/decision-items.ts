/** Reads the experiments of a page of decisions with the values that matter. */
import type { Decision } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits, isResting } from '../experiments/resting.ts';
import { joinSurroundings, surroundings, type SurroundingsRow } from './experiment-rows.ts';

export interface DecisionItem extends SurroundingsRow {
  freetext: string;
  decision: Decision | null;
  since: string;
  due_at: string | null;
  overdue: boolean;
  /** The values that the decision shows, by name. */
  variables: Record<string, unknown>;
}

/** By id. Those that no longer wait, because they moved after the page was read, are left out. */
export async function readDecisionItems(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, DecisionItem>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<DecisionItem>`
    select ${surroundings}, states.freetext, states.decision, experiments.resting_since::timestamptz(3) as since,
      ${dueAt}::timestamptz(3) as due_at, coalesce(${dueAt} < now(), false) as overdue, coalesce((
        select json_object_agg(experiment_variables.name, experiment_variables.value) from experiment_variables
        where experiment_variables.experiment_id = experiments.id and experiment_variables.name in (
          select shown ->> 'variable' from json_array_elements(states.decision -> 'show') as shown)), '{}') as variables
    from unnest(${ids}::bigint[]) as page (id) join experiments on experiments.id = page.id ${joinSurroundings}
    where ${isResting} and ${decides} and ${hasExits} and not states.retired`.execute(db);
  return new Map(rows.map((row) => [row.experiment_id, row]));
}

const dueAt = sql`(experiments.resting_since + (states.decision ->> 'due')::interval)`;
