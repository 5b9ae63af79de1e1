/**
 * How long experiments stayed in each state of a workflow. An action that is not a retry ends the stay in the state that its
 * transition leaves. An index has these actions by transition and time, so the most recent ones of a state are read first, and each
 * leads to the action that began its stay. A caller with few experiments gets the stays of these from their own actions.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, rowsIn, type Scope } from '../scope.ts';

export interface DurationFilter {
  workflowId: number;
  from: string;
  to: string;
  /** The most recent moves out of each state that are read. */
  maxStays: number;
}

export interface DurationRow {
  state_id: number;
  state_label: string;
  /** Null for the stays of all cohorts in the state. */
  cohort_id: number | null;
  cohort_label: string | null;
  stays: number;
  median: number | null;
  p90: number | null;
  /** Whether there are more stays in the period. */
  more: boolean;
}

/** A caller with access to at most this many experiments gets the most recent stays of these, however many others have moved since. */
const mostOwn = 10_000;
/** Others with access to some cohorts get those among the most recent moves of all cohorts: so many times the stays. */
const windowFactor = 2;

/** States in definition order, each followed by its cohorts. Retired states only if they have stays. */
export async function readDurations(db: Db, scope: Scope, filter: DurationFilter): Promise<DurationRow[]> {
  const { workflowId, maxStays } = filter;
  const leaving = (await hasFew(db, scope)) ? selectOwn(scope, filter) : selectRecent(scope, filter);
  const { rows } = await sql<DurationRow>`
    with leaving as materialized (${leaving}), stays as materialized (${selectStays(filter)}), figures as (
      select stays.state_id, stays.cohort_id, count(*) as stays, ${percentile(0.5)} as median, ${percentile(0.9)} as p90
      from stays group by grouping sets ((stays.state_id), (stays.state_id, stays.cohort_id)))
    select states.id as state_id, states.label as state_label, figures.cohort_id, cohorts.label as cohort_label,
      coalesce(figures.stays, 0) as stays, figures.median, figures.p90,
      exists (select from leaving where leaving.state_id = states.id and leaving.place > ${maxStays}) as more
    from states left join figures on figures.state_id = states.id left join cohorts on cohorts.id = figures.cohort_id
    where states.workflow_id = ${workflowId} and (not states.retired or figures.stays > 0)
    order by states.position, states.id, figures.cohort_id is not null, cohorts.label`.execute(db);
  return rows;
}

/** Counts at most one more than matters, in the index of cohorts. */
async function hasFew(db: Db, scope: Scope): Promise<boolean> {
  if (scope.kind === 'all') return false;
  const { rows } = await sql`
    select from experiments where ${inScope(scope, 'experiments.cohort_id')} limit ${sql.lit(mostOwn + 1)}`.execute(db);
  return rows.length <= mostOwn;
}

const newestFirst = sql`row_number() over (partition by moves.state_id order by moves.start_time desc)`;

/** All moves of the caller's experiments. Reads the actions of each experiment by index. */
const selectOwn = (scope: Scope, { workflowId, from, to }: DurationFilter) => sql`
  select moves.*, ${newestFirst} as place from (
    select transitions.source_state_id as state_id, experiments.id as experiment_id, experiments.cohort_id, made.sequence, made.start_time
    from ${rowsIn(scope, 'experiments')} cross join lateral (
      select actions.sequence, actions.start_time, actions.transition_id from actions
      where actions.experiment_id = experiments.id and actions.sequence > 1 and actions.retry_of is null
        and actions.start_time >= ${from} and actions.start_time < ${to} offset 0) as made
    join transitions on transitions.id = made.transition_id where transitions.workflow_id = ${workflowId}) as moves`;

/**
 * The most recent moves out of the state of a row `states`. The conditions name both columns of the index and make the planner expect few
 * rows. With `transition_id = transitions.id`, it may scan all actions for each transition.
 */
export const movesOutOfState = ({ from, to }: { from: string; to: string }, most: number): RawBuilder<unknown> => sql`
  select moves.*, transitions.kind from transitions cross join lateral (
    select actions.experiment_id, actions.sequence, actions.start_time, actions.actor_kind, actions.actor_id from actions
    where (actions.transition_id, actions.start_time) >= (transitions.id, ${from}) and actions.transition_id >= transitions.id
      and (actions.transition_id, actions.start_time) < (transitions.id, ${to}) and actions.transition_id <= transitions.id
      and actions.retry_of is null and actions.sequence > 1
    order by actions.transition_id desc, actions.start_time desc limit ${sql.lit(most)}) as moves
  where transitions.source_state_id = states.id order by moves.start_time desc limit ${sql.lit(most)}`;

const selectRecent = (scope: Scope, { workflowId, from, to, maxStays }: DurationFilter) => {
  const most = scope.kind === 'all' ? maxStays + 1 : maxStays * windowFactor;
  return sql`
  select moves.*, ${newestFirst} as place from (
    select states.id as state_id, recent.experiment_id, one.cohort_id, recent.sequence, recent.start_time
    from states cross join lateral (${movesOutOfState({ from, to }, most)}) as recent
    cross join lateral (
      select experiments.cohort_id from experiments
      where experiments.id = recent.experiment_id and ${inScope(scope, 'experiments.cohort_id')} offset 0) as one
    where states.workflow_id = ${workflowId}) as moves`;
};

/** Looks up the beginning of each stay by index. A join might read all actions. */
const selectStays = ({ maxStays }: DurationFilter) => sql`
  select leaving.state_id, leaving.cohort_id,
    greatest(0, extract(epoch from leaving.start_time - entering.start_time))::float8 as seconds
  from leaving cross join lateral (
    select actions.start_time from actions
    where actions.experiment_id = leaving.experiment_id and actions.sequence < leaving.sequence and actions.retry_of is null
    order by actions.sequence desc limit 1
  ) as entering
  where leaving.place <= ${maxStays}`;

/** Interpolates between two stays. In milliseconds, like the times. */
const percentile = (part: number) =>
  sql`round((percentile_cont(${sql.lit(part)}) within group (order by stays.seconds))::numeric, 3)::float8`;
