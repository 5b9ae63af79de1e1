/** The states in which experiments rest, with their number. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits, isResting, isUndecided } from '../experiments/resting.ts';
import type { Scope } from '../scope.ts';
import { isNew, isPaused, visibleExperiments, type ExperimentFilter, type ItemFilter } from './attention-filter.ts';

export interface RestingState {
  id: number;
  label: string;
  title: string | null;
  freetext: string;
  workflow_id: number;
  workflow_label: string;
  /** `decide`: users must decide. `undecided`: only users can move them, and the workflow file does not say whether they must. */
  kind: 'decide' | 'undecided' | 'settled';
  exits: { id: number; title: string; state: { id: number; label: string } }[];
  /** All that rest, at most `maxResting`. The following numbers do not exceed it either. */
  resting: number;
  /** Those that are not snoozed. */
  experiments: number;
  snoozed: number;
  new: number;
  overdue: number;
  /** The longest wait that is not snoozed. Null if all are. */
  since: string | null;
  /** The longest wait. */
  first: string;
  /** The microseconds for a decision. */
  due: number | null;
}

/** Counts stop here. */
export const maxResting = 10_000;

const due = sql`(states.decision ->> 'due')::interval`;
const beginning = { began: sql`experiments.resting_since`, since: sql`experiments.resting_since` };

const nextState = (after: ReturnType<typeof sql>) => sql`(
  select experiments.state_id from experiments where ${isResting} ${after}
  order by experiments.state_id, experiments.resting_since limit 1)`;

/** The transitions that users can take. */
const exits = sql`coalesce((
  select json_agg(json_build_object('id', transitions.id, 'title', coalesce(transitions.title, destination.title, destination.label),
    'state', json_build_object('id', destination.id, 'label', destination.label)) order by transitions.position, transitions.id)
  from transitions join states as destination on destination.id = transitions.destination_state_id
  where transitions.source_state_id = states.id and transitions.kind = 'defined' and not transitions.retired
    and transitions.by <> 'engine'), '[]')`;

/** The numbers of snoozed experiments are subtracted, unless there are too many experiments to count. */
const without = (
  count: string,
  snoozed: string,
) => sql`case when ${sql.ref(count)} >= ${sql.lit(maxResting)} then ${sql.ref(count)}
  else greatest(0, ${sql.ref(count)} - ${sql.ref(snoozed)}) end`;

/**
 * Jumps from state to state along the index of what rests, and reads at most `maxResting` of each. Few experiments are snoozed, so they
 * are read once. States with decisions first, those with overdue ones at the top.
 */
export async function listRestingStates(
  db: Db,
  scope: Scope,
  filter: ExperimentFilter & ItemFilter,
): Promise<RestingState[]> {
  const visible = visibleExperiments(scope, filter);
  const inState = sql`experiments.state_id = places.id and ${isResting} and ${visible}`;
  const { rows } = await sql<RestingState>`
    with recursive places (id) as (
      select ${nextState(sql``)}
      union all
      select ${nextState(sql`and experiments.state_id > places.id`)} from places where places.id is not null
    ), snoozed as materialized (
      select experiments.state_id, experiments.resting_since, ${isNew(filter, beginning)} as new
      from follow_ups join experiments on experiments.id = follow_ups.experiment_id
      where follow_ups.snoozed_until > now() and follow_ups.snoozed_at >= experiments.resting_since and ${isResting} and ${visible}
      limit ${sql.lit(maxResting)}
    ), counted as materialized (
      select places.id, one.resting, ${without('one.resting', 'hidden.snoozed')} as experiments,
        ${without('one.overdue', 'hidden.overdue')} as overdue, ${without('newest.new', 'hidden.new')} as new,
        hidden.snoozed, first.since, one.first
      from places join states on states.id = places.id cross join lateral (
        select count(*)::integer as resting, count(*) filter (where found.resting_since + ${due} < now())::integer as overdue, min(found.resting_since) as first
        from (
          select experiments.resting_since from experiments where ${inState}
          order by experiments.resting_since limit ${sql.lit(maxResting)}) as found) as one
      cross join lateral (
        select count(*)::integer as new from (
          select from experiments where ${inState} and ${isNew(filter, beginning)} limit ${sql.lit(maxResting)}) as found) as newest
      cross join lateral (
        select count(*)::integer as snoozed, count(*) filter (where snoozed.resting_since + ${due} < now())::integer as overdue,
          count(*) filter (where snoozed.new)::integer as new
        from snoozed where snoozed.state_id = places.id) as hidden
      left join lateral (
        select experiments.resting_since as since from experiments where ${inState} and not ${isPaused(beginning)}
        order by experiments.resting_since limit 1) as first on true
      where one.resting > 0
    )
    select states.id, states.label, states.title, states.freetext, workflows.id as workflow_id, workflows.label as workflow_label,
      case when ${decides} then 'decide' when ${isUndecided} then 'undecided' else 'settled' end as kind, ${exits} as exits,
      counted.resting, counted.experiments, counted.snoozed, counted.new, counted.overdue, counted.since, counted.first,
      (extract(epoch from ${due}) * 1000000)::bigint as due
    from counted join states on states.id = counted.id join workflows on workflows.id = states.workflow_id
    where not states.retired and ${hasExits}
    order by counted.overdue = 0, counted.since + ${due}, counted.since, states.id`.execute(db);
  return rows;
}
