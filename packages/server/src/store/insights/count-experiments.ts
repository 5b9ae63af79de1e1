/**
 * Counts what is new of experiments: their moves and stays since the action up to which they were counted. If the cohort has changed, or the
 * subject has withdrawn, what was counted is subtracted first. So it does not matter how often an experiment is counted.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../database/connection.ts';
import { sumOfCohorts } from '../scope.ts';

/** A length in milliseconds is in the bucket `round(bucketsPerE * ln(ms))`. Neighbours differ by 3.1 %. */
export const bucketsPerE = 33;
export const msOfBucket = (bucket: number): number => Math.exp(bucket / bucketsPerE);

/** Withdrawn subjects have no cohort here. */
const given = (ids: readonly number[]) => sql`given as materialized (
  select one.*, one.cohort_id is not distinct from one.counted_cohort_id as same from unnest(${[...ids]}::bigint[]) as wanted (id)
  cross join lateral (
    select experiments.id, case when subjects.withdrawn_at is null then experiments.cohort_id end as cohort_id,
      counted.cohort_id as counted_cohort_id, coalesce(counted.sequence, 0) as sequence
    from experiments join subjects on subjects.id = experiments.subject_id
    left join insight_experiments as counted on counted.experiment_id = experiments.id
    where experiments.id = wanted.id offset 0) as one
  where one.cohort_id is not null or one.counted_cohort_id is not null)`;

/** Retries stay in the state, so they are no moves. The action up to which an experiment is counted is read as the previous one of the next. */
const moves = sql`moves as materialized (
  select given.*, one.sequence as made, one.start_time, one.transition_id, transitions.kind = 'correction' and one.sequence = 1 as placed,
    lag(one.start_time) over of_experiment as entered_at
  from given cross join lateral (
    select actions.sequence, actions.start_time, actions.transition_id from actions
    where actions.experiment_id = given.id and actions.retry_of is null
      and actions.sequence >= case when given.same then given.sequence else 0 end offset 0) as one
  join transitions on transitions.id = one.transition_id
  window of_experiment as (partition by given.id order by one.sequence))`;

/** Each move in the cohort of the experiment and in all cohorts, with the sign of the change. */
const changes = sql`changes as materialized (
  select sign.cohort_id, sign.amount, moves.transition_id, moves.placed, moves.start_time, moves.entered_at,
    case when moves.entered_at is null then null
      else greatest(0, extract(epoch from moves.start_time - moves.entered_at) * 1000)::bigint end as stayed_ms
  from moves cross join lateral (
    select moves.cohort_id, 1 as amount where moves.cohort_id is not null and (not moves.same or moves.made > moves.sequence)
    union all
    select moves.counted_cohort_id, -1 where moves.counted_cohort_id is not null and not moves.same and moves.made <= moves.sequence
    union all
    select ${sql.lit(sumOfCohorts)}, 1 where moves.cohort_id is not null and moves.made > moves.sequence
    union all
    select ${sql.lit(sumOfCohorts)}, -1 where moves.cohort_id is null and moves.made <= moves.sequence
  ) as sign)`;

const utcDay = (time: RawBuilder<unknown>) => sql`(${time} at time zone 'UTC')::date`;
export const utcWeek = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`date_trunc('week', ${time} at time zone 'UTC')::date`;

const countMoves = sql`counted_moves as (
  insert into insight_moves as counted (cohort_id, transition_id, day, placed, moves, stayed_ms)
  select changes.cohort_id, changes.transition_id, ${utcDay(sql`changes.start_time`)}, changes.placed, sum(changes.amount),
    sum(changes.amount * coalesce(changes.stayed_ms, 0))
  from changes group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict on constraint insight_moves_pk do update
    set moves = counted.moves + excluded.moves, stayed_ms = counted.stayed_ms + excluded.stayed_ms)`;

export const epoch = (time: RawBuilder<unknown>): RawBuilder<unknown> => sql`extract(epoch from ${time})::bigint`;

const countLevels = sql`counted_levels as (
  insert into insight_levels as counted (cohort_id, state_id, experiments, entered_s)
  select changes.cohort_id, part.state_id, sum(changes.amount * part.sign), sum(changes.amount * part.sign * ${epoch(sql`part.entered_at`)})
  from changes join transitions on transitions.id = changes.transition_id
  cross join lateral (
    select transitions.destination_state_id as state_id, 1 as sign, changes.start_time as entered_at
    union all select transitions.source_state_id, -1, changes.entered_at where changes.entered_at is not null) as part
  group by 1, 2 order by 1, 2
  on conflict on constraint insight_levels_pk do update
    set experiments = counted.experiments + excluded.experiments, entered_s = counted.entered_s + excluded.entered_s)`;

const countStays = sql`counted_stays as (
  insert into insight_stays as counted (cohort_id, state_id, week, bucket, stays)
  select changes.cohort_id, transitions.source_state_id, ${utcWeek(sql`changes.start_time`)},
    round(${sql.lit(bucketsPerE)} * ln(greatest(1, changes.stayed_ms)))::smallint, sum(changes.amount)
  from changes join transitions on transitions.id = changes.transition_id
  where changes.stayed_ms is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict on constraint insight_stays_pk do update set stays = counted.stays + excluded.stays)`;

const mark = sql`marked as (
  insert into insight_experiments as counted (experiment_id, cohort_id, sequence, state_id, entered_at)
  select distinct on (moves.id) moves.id, moves.cohort_id, moves.made, transitions.destination_state_id, moves.start_time
  from moves join transitions on transitions.id = moves.transition_id
  where moves.cohort_id is not null and (not moves.same or moves.made > moves.sequence) order by moves.id, moves.made desc
  on conflict on constraint insight_experiments_pk do update
    set cohort_id = excluded.cohort_id, sequence = excluded.sequence, state_id = excluded.state_id, entered_at = excluded.entered_at
), unmarked as (
  delete from insight_experiments using given where insight_experiments.experiment_id = given.id and given.cohort_id is null)`;

/**
 * Returns the experiments that were not counted before, or in another cohort. One statement, so that all figures are of one moment. Only one
 * transaction at a time may count.
 */
export async function countExperiments(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    with ${given(ids)}, ${moves}, ${changes}, ${countMoves}, ${countLevels}, ${countStays}, ${mark}
    select given.id from given where not given.same`.execute(tx);
  return rows.map(({ id }) => id);
}
