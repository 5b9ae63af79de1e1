/**
 * The moves, stays and present experiments of a workflow: from what is counted, or from the actions of some experiments. The first reads rows
 * by transition and day or by state and week, so its cost does not depend on the number of experiments.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits, isFinal } from '../experiments/resting.ts';
import { inScope, inScopeOfSums, type Scope } from '../scope.ts';
import { bucketsPerE, epoch, utcWeek } from './count-experiments.ts';

export interface FigureFilter {
  workflowId: number;
  /** The first day of the period, a Monday. */
  from: string;
}

/** The moves of a week. An arrival has no source. */
export interface WeekOfMoves {
  week: string;
  source_id: number | null;
  destination_id: number;
  moves: number;
  stayed_ms: number;
}

/** Stays of about the same length that ended in the period. */
export interface StaysOfLength {
  state_id: number;
  ms: number;
  stays: number;
}

/** The experiments in a state, how long they have been in it in sum, and since when the oldest has. */
export interface Level {
  state_id: number;
  experiments: number;
  present_s: number;
  oldest: string | null;
}

export interface Figures {
  moves: WeekOfMoves[];
  stays: StaysOfLength[];
  levels: Level[];
}

export interface InsightState {
  id: number;
  label: string;
  is_retired: boolean;
  is_final: boolean;
  waits_for_decision: boolean;
}

/** In the order of the definition. */
export async function listInsightStates(db: Db, workflowId: number): Promise<InsightState[]> {
  const { rows } = await sql<InsightState>`
    select states.id, states.label, states.retired as is_retired, ${isFinal} as is_final, not states.retired and ${hasExits} and ${decides} as waits_for_decision
    from states where states.workflow_id = ${workflowId} order by states.position, states.id`.execute(db);
  return rows;
}

/** Experiments are created by an entry, or by a correction if an import names their state. They leave no state. */
export const arrives = sql<boolean>`(transitions.kind = 'entry' or counted.placed)`;

const week = (day: RawBuilder<unknown>) => sql`to_char(date_trunc('week', ${day}::timestamp), 'YYYY-MM-DD')`;

export async function readCounted(db: Db, scope: Scope, { workflowId, from }: FigureFilter): Promise<Figures> {
  const moves = await sql<WeekOfMoves>`
    select ${week(sql`counted.day`)} as week, case when ${arrives} then null else transitions.source_state_id end as source_id,
      transitions.destination_state_id as destination_id, sum(counted.moves)::bigint as moves, sum(counted.stayed_ms)::bigint as stayed_ms
    from transitions join insight_moves as counted on counted.transition_id = transitions.id
    where transitions.workflow_id = ${workflowId} and ${inScopeOfSums(scope, 'counted.cohort_id')} and counted.day >= ${from}::date
    group by 1, 2, 3 having sum(counted.moves) <> 0`.execute(db);
  const stays = await sql<StaysOfLength>`
    select counted.state_id, exp(counted.bucket / ${sql.lit(bucketsPerE)}::float8) as ms, sum(counted.stays)::bigint as stays
    from states join insight_stays as counted on counted.state_id = states.id
    where states.workflow_id = ${workflowId} and ${inScopeOfSums(scope, 'counted.cohort_id')} and counted.week >= ${from}::date
    group by counted.state_id, counted.bucket having sum(counted.stays) <> 0`.execute(db);
  const levels = await readLevels(db, scope, workflowId);
  return { moves: moves.rows, stays: stays.rows, levels };
}

/** The oldest of each cohort is the first entry of its index. */
async function readLevels(db: Db, scope: Scope, workflowId: number): Promise<Level[]> {
  const { rows } = await sql<Level>`
    select counted.state_id, sum(counted.experiments)::bigint as experiments,
      greatest(0, sum(counted.experiments) * ${epoch(sql`now()`)} - sum(counted.entered_s))::bigint as present_s,
      (select min(first.entered_at) from insight_levels as of_cohort cross join lateral (
          select own.entered_at from insight_experiments as own
          where own.state_id = of_cohort.state_id and own.cohort_id = of_cohort.cohort_id order by own.entered_at limit 1) as first
        where of_cohort.state_id = counted.state_id and of_cohort.experiments > 0 and ${inScope(scope, 'of_cohort.cohort_id')}) as oldest
    from states join insight_levels as counted on counted.state_id = states.id
    where states.workflow_id = ${workflowId} and ${inScopeOfSums(scope, 'counted.cohort_id')} group by counted.state_id`.execute(
    db,
  );
  return rows;
}

/** The experiments in each state at the end of a day: those of now without the moves since. */
export async function readLevelsAt(
  db: Db,
  scope: Scope,
  { workflowId, day }: { workflowId: number; day: string },
): Promise<Pick<Level, 'state_id' | 'experiments'>[]> {
  const { rows } = await sql<Pick<Level, 'state_id' | 'experiments'>>`
    with parts as (
      select counted.state_id, counted.experiments from states join insight_levels as counted on counted.state_id = states.id
      where states.workflow_id = ${workflowId} and ${inScopeOfSums(scope, 'counted.cohort_id')}
      union all
      select part.state_id, part.sign * counted.moves
      from transitions join insight_moves as counted on counted.transition_id = transitions.id
      cross join lateral (
        select transitions.destination_state_id as state_id, -1 as sign
        union all select transitions.source_state_id, 1 where not ${arrives}) as part
      where transitions.workflow_id = ${workflowId} and ${inScopeOfSums(scope, 'counted.cohort_id')} and counted.day > ${day}::date)
    select parts.state_id, sum(parts.experiments)::bigint as experiments from parts group by parts.state_id`.execute(
    db,
  );
  return rows;
}

/** The ids are those of experiments that the caller can read. */
export async function readOfExperiments(db: Db, ids: readonly number[], filter: FigureFilter): Promise<Figures> {
  const moves = await sql<WeekOfMoves>`
    with ${movesOf(ids, filter)}
    select ${week(sql`moves.day`)} as week, moves.source_id, moves.destination_id, count(*) as moves,
      coalesce(sum(moves.stayed_ms), 0)::bigint as stayed_ms
    from moves where moves.day >= ${filter.from}::date group by 1, 2, 3`.execute(db);
  const stays = await sql<StaysOfLength>`
    with ${movesOf(ids, filter)}
    select moves.source_id as state_id, moves.stayed_ms as ms, count(*) as stays from moves
    where moves.source_id is not null and ${utcWeek(sql`moves.start_time`)} >= ${filter.from}::date group by 1, 2`.execute(
    db,
  );
  const levels = await sql<Level>`
    select experiments.state_id, count(*) as experiments, min(latest.start_time) as oldest,
      greatest(0, sum(${epoch(sql`now()`)} - ${epoch(sql`latest.start_time`)}))::bigint as present_s
    from experiments join subjects on subjects.id = experiments.subject_id
    cross join lateral (
      select actions.start_time from actions where actions.experiment_id = experiments.id and actions.retry_of is null
      order by actions.sequence desc limit 1) as latest
    where experiments.id = any(${[...ids]}::bigint[]) and experiments.workflow_id = ${filter.workflowId} and subjects.withdrawn_at is null
    group by experiments.state_id`.execute(db);
  return { moves: moves.rows, stays: stays.rows, levels: levels.rows };
}

/** All moves of the experiments, with the time in the state before. Each experiment is looked up in the index of its actions. */
const movesOf = (ids: readonly number[], { workflowId }: FigureFilter) => sql`moves as (
  select one.start_time, (one.start_time at time zone 'UTC')::date as day, transitions.destination_state_id as destination_id,
    case when one.entered_at is null then null else transitions.source_state_id end as source_id,
    greatest(1, extract(epoch from one.start_time - one.entered_at) * 1000)::bigint as stayed_ms
  from experiments join subjects on subjects.id = experiments.subject_id
  cross join lateral (
    select actions.start_time, actions.transition_id, lag(actions.start_time) over (order by actions.sequence) as entered_at
    from actions where actions.experiment_id = experiments.id and actions.retry_of is null) as one
  join transitions on transitions.id = one.transition_id
  where experiments.id = any(${[...ids]}::bigint[]) and experiments.workflow_id = ${workflowId} and subjects.withdrawn_at is null)`;
