/**
 * Experiments that wait for the decision of a user: they rest in a state that has a `decision`, or that only users can leave. The
 * list has overdue ones first: those with a due time by that time, then the others by the time since when they wait.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { decides, hasExits, isResting, isUndecided } from '../experiments/resting.ts';
import { experimentsIn, inScope, type Scope } from '../scope.ts';

export interface RestingFilter {
  cohortId?: number | undefined;
}

/** The experiments that rest in a state. */
export interface RestingState {
  id: number;
  label: string;
  title: string | null;
  freetext: string;
  workflow_id: number;
  workflow_label: string;
  /** `decide`: users must decide. `undecided`: only users can move them, and the workflow file does not say whether they must. */
  kind: 'decide' | 'undecided' | 'settled';
  experiments: number;
  overdue: number;
  /** The longest wait. */
  since: string;
  /** The microseconds for a decision. */
  due: number | null;
}

const due = sql`(states.decision ->> 'due')::interval`;

/** Reads the index of all that rest, once. States with decisions first, those with overdue ones at the top. */
export async function listRestingStates(db: Db, scope: Scope, filter: RestingFilter): Promise<RestingState[]> {
  const { rows } = await sql<RestingState>`
    with resting as materialized (
      select experiments.state_id, experiments.resting_since from experiments
      where ${isResting} and ${experimentsIn(scope, filter)}
    ), times as materialized (
      select states.id, ${due} as due from states where states.id in (select resting.state_id from resting)
    ), counted as (
      select resting.state_id, count(*) as experiments, min(resting.resting_since) as since,
        count(*) filter (where resting.resting_since + times.due < now()) as overdue
      from resting join times on times.id = resting.state_id group by resting.state_id
    )
    select states.id, states.label, states.title, states.freetext, workflows.id as workflow_id, workflows.label as workflow_label,
      case when ${decides} then 'decide' when ${isUndecided} then 'undecided' else 'settled' end as kind,
      counted.experiments, counted.overdue, counted.since, (extract(epoch from ${due}) * 1000000)::bigint as due
    from counted join states on states.id = counted.state_id join workflows on workflows.id = states.workflow_id
    where not states.retired and ${hasExits}
    order by counted.overdue = 0, counted.since + ${due}, counted.since, states.id`.execute(db);
  return rows;
}

/** Larger than any key: the microseconds of 35 years. */
export const partSize = 2 ** 50;
const firstMicrosecond = Date.UTC(2020, 0, 1) * 1000;

export interface DecisionKey {
  key: number;
  experimentId: number;
}

export interface DecisionPage {
  limit: number;
  offset: number;
  after: number;
}

/** What is added to the microseconds since 2020 of the start of a wait to get its key. */
const shiftOf = ({ due: time }: Pick<RestingState, 'due'>) => time ?? partSize;

const micros = sql`((extract(epoch from experiments.resting_since) * 1000000)::bigint - ${firstMicrosecond}::bigint)`;
const momentOf = (value: RawBuilder<unknown>) =>
  sql`'epoch'::timestamptz + (${value} + ${firstMicrosecond}::bigint) * interval '1 microsecond'`;

const waitingIn = (states: readonly RestingState[]) => sql`unnest(
  ${states.map(({ id }) => id)}::bigint[], ${states.map(shiftOf)}::bigint[]) as decided (state_id, shift)`;

/**
 * The keys of a page and the key that follows, with all experiments that have this key. Each state reads at most the rows that the
 * page needs.
 */
export async function listDecisionKeys(
  db: Db,
  scope: Scope,
  filter: RestingFilter & { states: readonly RestingState[] },
  { limit, offset, after }: DecisionPage,
): Promise<DecisionKey[]> {
  if (limit === 0 || filter.states.length === 0 || after >= 2 * partSize) return [];
  const { rows } = await sql<DecisionKey>`
    with found as materialized (select nearest.key, nearest.id from ${waitingIn(filter.states)} cross join lateral (
      select ${micros} + decided.shift as key, experiments.id from experiments
      where experiments.state_id = decided.state_id and ${isResting} and ${experimentsIn(scope, filter)}
        and experiments.resting_since > ${momentOf(sql`(${after}::bigint - decided.shift)`)}
      order by experiments.resting_since fetch first ${limit + offset + 1} rows with ties) as nearest)
    select found.key, found.id as "experimentId" from found
    where found.key <= coalesce(
      (select other.key from found as other order by other.key limit 1 offset ${limit + offset}), ${2 * partSize}::bigint)
    order by found.key, found.id offset ${offset}`.execute(db);
  return rows;
}

interface Neighbour {
  id: number;
  label: string;
}

/** The place of an experiment among the decisions, and its neighbours. */
export interface DecisionPlace {
  /** Null if it does not wait for a decision. */
  position: number | null;
  previous: Neighbour | null;
  next: Neighbour | null;
}

const neighbour = (found: RawBuilder<unknown>) => sql`(
  select json_build_object('id', experiments.id, 'label', experiments.label) from experiments where experiments.id = (${found}))`;

/** Reads the index of the waiting experiments. The first one follows an experiment that does not wait. */
export async function findDecisionPlace(
  db: Db,
  scope: Scope,
  states: readonly RestingState[],
  experimentId: number,
): Promise<DecisionPlace> {
  const { rows } = await sql<DecisionPlace>`
    with queue as materialized (
      select ${micros} + decided.shift as key, experiments.id
      from ${waitingIn(states)} join experiments on experiments.state_id = decided.state_id
      where ${isResting} and ${inScope(scope, 'experiments.cohort_id')}
    ), own as materialized (select queue.key, queue.id from queue where queue.id = ${experimentId})
    select
      (select count(*) from queue join own on (queue.key, queue.id) <= (own.key, own.id) having count(*) > 0) as position,
      ${neighbour(sql`select queue.id from queue join own on (queue.key, queue.id) < (own.key, own.id)
        order by queue.key desc, queue.id desc limit 1`)} as previous,
      ${neighbour(sql`select queue.id from queue left join own on true
        where own.id is null or (queue.key, queue.id) > (own.key, own.id)
        order by queue.key, queue.id limit 1`)} as next`.execute(db);
  return rows[0] ?? { position: null, previous: null, next: null };
}
