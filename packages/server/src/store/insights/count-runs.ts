/**
 * Counts runs that failed, timed out or were retried, by callback, cause and week. Each such run has a row with what was counted, so that it
 * is counted once, and subtracted if its subject withdraws.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../database/connection.ts';
import { sumOfCohorts } from '../scope.ts';
import { utcWeek } from './count-experiments.ts';

/** Finished runs that are not counted yet. Skipped runs have not run. `offset 0` makes PostgreSQL look up each run by index. */
const found = (runs: RawBuilder<unknown>) => sql`found as materialized (
  select one.*, own.id as experiment_id, own.cohort_id from (${runs}) as wanted (id) cross join lateral (
    select runs.id, runs.action_id, runs.callback_id, coalesce(runs.cause_key, '') as cause_group,
      ${utcWeek(sql`runs.finished`)} as week, (runs.result in ('failed', 'timeout'))::int as failures, greatest(0, runs.attempt - 1) as retries
    from callback_executions as runs
    where runs.id = wanted.id and runs.status = 'finished' and (runs.result in ('failed', 'timeout') or runs.attempt > 1)
      and not exists (select from insight_runs where insight_runs.execution_id = runs.id) offset 0
  ) as one cross join lateral (
    select experiments.id, experiments.cohort_id
    from actions join experiments on experiments.id = actions.experiment_id join subjects on subjects.id = experiments.subject_id
    where actions.id = one.action_id and subjects.withdrawn_at is null offset 0) as own)`;

/** `changes` has rows with the columns of `insight_runs` and a sign. */
const addCauses = sql`
  insert into insight_causes as counted (cohort_id, callback_id, cause_group, week, failures, retries)
  select part.cohort_id, changes.callback_id, changes.cause_group, changes.week, sum(changes.amount * changes.failures),
    sum(changes.amount * changes.retries)
  from changes cross join lateral (values (changes.cohort_id), (${sql.lit(sumOfCohorts)})) as part (cohort_id)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict on constraint insight_causes_pk do update set failures = counted.failures + excluded.failures,
    retries = counted.retries + excluded.retries`;

async function countNew(tx: Tx, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    with ${found(runs)}, changes as (
      insert into insight_runs (execution_id, experiment_id, cohort_id, callback_id, cause_group, week, failures, retries)
      select found.id, found.experiment_id, found.cohort_id, found.callback_id, found.cause_group, found.week, found.failures, found.retries
      from found returning insight_runs.*, 1 as amount)
    ${addCauses}`.execute(tx);
}

/** Runs that have ended. */
export async function countRuns(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await countNew(tx, sql`select distinct unnest(${[...ids]}::bigint[])`);
}

/** All runs of experiments. */
export async function countRunsOf(tx: Tx, experimentIds: readonly number[]): Promise<void> {
  if (experimentIds.length === 0) return;
  await countNew(
    tx,
    sql`select runs.id from unnest(${[...experimentIds]}::bigint[]) as given (id)
      cross join lateral (select actions.id from actions where actions.experiment_id = given.id offset 0) as one
      cross join lateral (select runs.id from callback_executions as runs where runs.action_id = one.id offset 0) as runs`,
  );
}

/** Subtracts the runs of experiments that have changed cohort or whose subject has withdrawn. They can be counted again. */
export async function subtractRunsOf(tx: Tx, experimentIds: readonly number[]): Promise<void> {
  if (experimentIds.length === 0) return;
  await sql`
    with changes as (
      delete from insight_runs where insight_runs.experiment_id = any(${[...experimentIds]}::bigint[])
      returning insight_runs.*, -1 as amount)
    ${addCauses}`.execute(tx);
}
