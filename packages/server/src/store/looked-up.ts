/**
 * Joins that are looked up one by one, which the limit makes sure of. What is open is little beside what ever was, and each of it
 * has one action and one experiment: joined as a whole, the planner may read 20 M actions, or all experiments of a cohort, for them.
 */
import { sql } from 'kysely';

/** Of the execution `one`. */
export const itsAction = sql`cross join lateral (
  select actions.experiment_id, actions.sequence from actions where actions.id = one.action_id limit 1) as actions`;

/** Of whatever carries the id of an experiment. */
export const itsExperiment = (column: string) => sql`cross join lateral (
  select experiments.id, experiments.cohort_id, experiments.action_sequence from experiments
  where experiments.id = ${sql.ref(column)} limit 1) as experiments`;
