/** The latest stays in states, with what only actions and experiments know: the variables, and who ended the stay. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { movesOutOfState } from '../experiments/durations.ts';
import { decides, hasExits } from '../experiments/resting.ts';
import { inScope, type Scope } from '../scope.ts';

/** The latest stays in a state that are read, of all cohorts. */
const maxRecent = 1000;
const minStays = 5;
const maxValues = 20;
const maxVariables = 10;

export interface RecentFilter {
  from: string;
  to: string;
  /** Only these experiments. */
  experimentIds?: readonly number[] | undefined;
}

/** The action before the move. For the time in the state, retries do not count. */
const actionBefore = (more: RawBuilder<unknown>) => sql`
  select actions.start_time, actions.end_time from actions
  where actions.experiment_id = recent.experiment_id and actions.sequence < recent.sequence and ${more}
  order by actions.sequence desc limit 1`;
const sinceEntry = { before: actionBefore(sql`actions.retry_of is null`), start: sql`before.start_time` };
const sinceCallbacks = { before: actionBefore(sql`true`), start: sql`before.end_time` };

/** Of rows `states` in `chosen`. Withdrawn subjects do not count. A join without `offset 0` reads all subjects of a large installation. */
const recentStays = (
  scope: Scope,
  { from, to, experimentIds }: RecentFilter,
  { before, start }: typeof sinceEntry,
) => sql`stays as materialized (
  select states.id as state_id, recent.experiment_id, recent.actor_kind, recent.actor_id, recent.kind,
    extract(epoch from recent.start_time - ${start})::float8 as seconds
  from chosen join states on states.id = chosen.id
  cross join lateral (${experimentIds ? movesOf(experimentIds, { from, to }) : movesOutOfState({ from, to }, maxRecent)}) as recent
  cross join lateral (
    select from experiments join subjects on subjects.id = experiments.subject_id
    where experiments.id = recent.experiment_id and ${inScope(scope, 'experiments.cohort_id')} and subjects.withdrawn_at is null
    offset 0) as own
  cross join lateral (${before}) as before)`;

const movesOf = (ids: readonly number[], { from, to }: { from: string; to: string }): RawBuilder<unknown> => sql`
  select moves.* from unnest(${[...ids]}::bigint[]) as wanted (id) cross join lateral (
    select actions.experiment_id, actions.sequence, actions.start_time, actions.actor_kind, actions.actor_id, transitions.kind
    from actions join transitions on transitions.id = actions.transition_id
    where actions.experiment_id = wanted.id and transitions.source_state_id = states.id and actions.retry_of is null
      and actions.sequence > 1 and actions.start_time >= ${from} and actions.start_time < ${to} offset 0) as moves
  order by moves.start_time desc limit ${sql.lit(maxRecent)}`;

export interface VariableValue {
  variable: string;
  value: string;
  stays: number;
  median: number;
  all_stays: number;
  all_median: number;
}

const median = sql`percentile_cont(0.5) within group (order by named.seconds)`;

/** The values whose stays differ most from those of all values of the variable. Those of many stays come before those of few. */
export async function readVariables(
  db: Db,
  scope: Scope,
  filter: RecentFilter & { stateId: number },
): Promise<VariableValue[]> {
  const { rows } = await sql<VariableValue>`
    with chosen as (select ${filter.stateId}::bigint as id), ${recentStays(scope, filter, sinceEntry)}, named as materialized (
      select variables.name as variable, variables.value #>> '{}' as value, greatest(0, stays.seconds) as seconds
      from stays join experiment_variables as variables on variables.experiment_id = stays.experiment_id
      where jsonb_typeof(variables.value) in ('string', 'number', 'boolean') and pg_column_size(variables.value) <= 100
    ), whole as (
      select named.variable, count(*) as stays, ${median} as median from named group by 1
      having count(distinct named.value) between 2 and ${sql.lit(maxValues)}
    ), each as (
      select named.variable, named.value, count(*) as stays, ${median} as median from named group by 1, 2 having count(*) >= ${sql.lit(minStays)})
    select each.variable, each.value, each.stays, each.median, whole.stays as all_stays, whole.median as all_median
    from each join whole on whole.variable = each.variable where whole.stays > each.stays
    order by sqrt(each.stays) * abs(ln(greatest(each.median, 0.001)) - ln(greatest(whole.median, 0.001))) desc, each.variable, each.value
    limit ${sql.lit(maxVariables)}`.execute(db);
  return rows;
}

export interface DecisionTime {
  state_id: number;
  state_label: string;
  /** Null for all users. */
  user_id: number | null;
  user_name: string | null;
  decisions: number;
  median: number;
  p90: number;
}

const percentile = (part: number) => sql`percentile_cont(${sql.lit(part)}) within group (order by stays.seconds)`;

/**
 * The moves of users out of states with a decision, from the end of the callbacks. Corrections, and moves before the callbacks have ended, are
 * no decisions. First those of all users.
 */
export async function readDecisionTimes(
  db: Db,
  scope: Scope,
  filter: RecentFilter & { workflowId: number; byUser: boolean },
): Promise<DecisionTime[]> {
  const groups = filter.byUser ? sql`((stays.state_id), (stays.state_id, stays.actor_id))` : sql`((stays.state_id))`;
  const user = filter.byUser ? sql`stays.actor_id` : sql`null::bigint`;
  const { rows } = await sql<DecisionTime>`
    with chosen as (
      select states.id from states where states.workflow_id = ${filter.workflowId} and not states.retired and ${hasExits} and ${decides}
    ), ${recentStays(scope, filter, sinceCallbacks)}, figures as (
      select stays.state_id, ${user} as user_id, count(*) as decisions, ${percentile(0.5)} as median, ${percentile(0.9)} as p90
      from stays where stays.actor_kind = 'user' and stays.kind = 'defined' and stays.seconds >= 0 group by grouping sets ${groups})
    select figures.state_id, states.label as state_label, figures.user_id, coalesce(nullif(users.name, ''), users.username) as user_name,
      figures.decisions, figures.median, figures.p90
    from figures join states on states.id = figures.state_id left join users on users.id = figures.user_id
    order by states.position, states.id, figures.user_id is not null, figures.decisions desc, figures.user_id limit 500`.execute(
    db,
  );
  return rows;
}
