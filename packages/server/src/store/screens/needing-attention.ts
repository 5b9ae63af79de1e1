/** The experiments that need attention: with an open incident, an overdue wait or a decision to make, without snoozed ones. */
import { sql, type RawBuilder } from 'kysely';
import { decides, hasExits, isResting } from '../experiments/resting.ts';

const columns = sql`experiments.id, experiments.subject_id, experiments.cohort_id,
  experiments.workflow_id, experiments.state_id`;

/** What began later needs attention again. */
const isAwake = (since: RawBuilder<unknown>) => sql`not exists (
  select from follow_ups where follow_ups.experiment_id = one.id
    and follow_ups.snoozed_until > now() and follow_ups.snoozed_at >= ${since})`;

/** A condition on the cohort of an experiment, in a row with this name. */
export type Within = (row: string) => RawBuilder<boolean>;

/**
 * Part of a statement. Reads the open incidents, the overdue waits and the experiments that rest from their partial indexes, as the
 * counts of states do. The index of those that rest includes the cohort, so others are not looked up. `offset 0` keeps the planner from
 * reading all experiments of the cohorts.
 */
export const needingAttention = (within: Within): RawBuilder<unknown> => sql`needing as materialized (
  select one.* from (
    select incidents.experiment_id, max(incidents.opened_at) as newest from incidents
    where incidents.closed_at is null and incidents.experiment_id is not null group by incidents.experiment_id
  ) as open cross join lateral (
    select ${columns} from experiments where experiments.id = open.experiment_id offset 0
  ) as one where ${within('one')} and ${isAwake(sql`open.newest`)}
  union
  select one.* from (
    select one.action_id, max(one.wait_start) as late from callback_executions as one
    where one.status = 'waiting' and one.wait_start < now() - interval '24 hours' group by one.action_id
  ) as open cross join lateral (
    select ${columns} from actions
    join experiments on experiments.id = actions.experiment_id and experiments.action_sequence = actions.sequence
    where actions.id = open.action_id offset 0
  ) as one where ${within('one')} and ${isAwake(sql`open.late`)}
  union
  select one.* from states cross join lateral (
    select experiments.id, experiments.resting_since from experiments
    where experiments.state_id = states.id and ${isResting} and ${within('experiments')} offset 0
  ) as open cross join lateral (
    select ${columns} from experiments where experiments.id = open.id offset 0
  ) as one where not states.retired and ${hasExits} and ${decides} and ${isAwake(sql`open.resting_since`)})`;

export const inCohorts =
  (ids: readonly number[]): Within =>
  (row) =>
    sql<boolean>`${sql.ref(`${row}.cohort_id`)} = any(${[...ids]}::bigint[])`;
