/** Reads the experiments of a page of decisions with the values that matter. */
import type { Decision } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits, isResting } from '../experiments/resting.ts';
import { shownCause } from '../runs/shown-cause.ts';
import { joinSurroundings, surroundings, type SurroundingsRow } from './experiment-rows.ts';

export interface DecisionItem extends SurroundingsRow {
  freetext: string;
  decision: Decision | null;
  since: string;
  due_at: string | null;
  overdue: boolean;
  /** The values that the decision shows, by name. */
  variables: Record<string, unknown>;
  /** The run that failed in the state before, if any. */
  execution_id: number | null;
  callback: string | null;
  cause: string | null;
  last_error: string | null;
  attempt: number | null;
}

/** By id. Those that no longer wait, because they moved after the page was read, are left out. */
export async function readDecisionItems(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, DecisionItem>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<DecisionItem>`
    select ${surroundings}, states.freetext, states.decision, experiments.resting_since::timestamptz(3) as since,
      ${dueAt}::timestamptz(3) as due_at, coalesce(${dueAt} < now(), false) as overdue, coalesce((
        select json_object_agg(experiment_variables.name, experiment_variables.value) from experiment_variables
        where experiment_variables.experiment_id = experiments.id and experiment_variables.name in (
          select shown ->> 'variable' from json_array_elements(states.decision -> 'show') as shown)), '{}') as variables,
      failed.execution_id, failed.callback, failed.cause, failed.last_error, failed.attempt
    from unnest(${ids}::bigint[]) as page (id) join experiments on experiments.id = page.id ${joinSurroundings}
    left join lateral (${failedBefore}) as failed on true
    where ${isResting} and ${decides} and ${hasExits} and not states.retired`.execute(db);
  return new Map(rows.map((row) => [row.experiment_id, row]));
}

/** The run of the previous action that failed first. Each step looks up a few rows, as in lateral-joins.ts. */
const failedBefore = sql`
  select one.id as execution_id, one.last_error, one.attempt, ${shownCause} as cause, version.label as callback
  from (
    select actions.id from actions
    where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence - 1 limit 1) as previous
  cross join lateral (
    select callback_executions.* from callback_executions where callback_executions.action_id = previous.id offset 0) as one
  cross join lateral (
    select callback_versions.label from callback_versions
    where callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version limit 1) as version
  where one.status = 'finished' and one.result in ('failed', 'timeout') order by one.finished, one.id limit 1`;

const dueAt = sql`(experiments.resting_since + (states.decision ->> 'due')::interval)`;
