/**
 * Joins that look up one row at a time, which `limit 1` enforces. Few rows are open, and each has one action and one experiment.
 * For a normal join, the planner may read 20 M actions or all experiments of a cohort.
 */
import { sql } from 'kysely';

/** Joins the action of the execution `one`. */
export const joinAction = sql`cross join lateral (
  select actions.experiment_id, actions.sequence from actions where actions.id = one.action_id limit 1) as actions`;

/** Joins the experiment whose id is in the column. */
export const joinExperiment = (column: string) => sql`cross join lateral (
  select experiments.id, experiments.cohort_id, experiments.state_id, experiments.action_sequence from experiments
  where experiments.id = ${sql.ref(column)} limit 1) as experiments`;
