/**
 * Experiments that wait for the decision of a user: they rest in a state that has a `decision`, or that only users can leave. The
 * list has overdue ones first: those with a due time by that time, then the others by the time since when they wait.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { isResting } from '../experiments/resting.ts';
import type { Scope } from '../scope.ts';
import { isListed, isPaused, visibleExperiments, type ExperimentFilter, type ItemFilter } from './attention-filter.ts';
import type { RestingState } from './resting-states.ts';

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

const beginning = { began: sql`experiments.resting_since`, since: sql`experiments.resting_since` };

const waitingIn = (states: readonly RestingState[]) => sql`unnest(
  ${states.map(({ id }) => id)}::bigint[], ${states.map(shiftOf)}::bigint[]) as decided (state_id, shift)`;

/**
 * The keys of a page and the key that follows, with all experiments that have this key. Each state reads at most the rows that the
 * page needs.
 */
export async function listDecisionKeys(
  db: Db,
  scope: Scope,
  filter: ExperimentFilter & ItemFilter & { states: readonly RestingState[] },
  { limit, offset, after }: DecisionPage,
): Promise<DecisionKey[]> {
  if (limit === 0 || filter.states.length === 0 || after >= 2 * partSize) return [];
  const { rows } = await sql<DecisionKey>`
    with found as materialized (select nearest.key, nearest.id from ${waitingIn(filter.states)} cross join lateral (
      select ${micros} + decided.shift as key, experiments.id from experiments
      where experiments.state_id = decided.state_id and ${isResting} and ${visibleExperiments(scope, filter)} and ${isListed(filter, beginning)}
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

/** The place of an experiment among the decisions of a list, and its neighbours. */
export interface DecisionPlace {
  /** Null if the experiment is not in the list, or is snoozed. At most `maxPosition`. */
  position: number | null;
  previous: Neighbour | null;
  next: Neighbour | null;
}

const maxPosition = 10_000;

const neighbour = (found: RawBuilder<unknown>) => sql`(
  select json_build_object('id', experiments.id, 'label', experiments.label) from experiments where experiments.id = (${found}))`;

/** The first one follows an experiment that is not in the list. Each state reads at most `maxPosition` rows. */
export async function findDecisionPlace(
  db: Db,
  scope: Scope,
  { states, ...filter }: ExperimentFilter & { states: readonly RestingState[] },
  experimentId: number,
): Promise<DecisionPlace> {
  const listed = sql`${visibleExperiments(scope, filter)} and ${isListed({}, beginning)}`;
  const ownMoment = momentOf(sql`(own.key - decided.shift)`);
  const { rows } = await sql<DecisionPlace>`
    with own as materialized (
      select ${micros} + decided.shift as key, experiments.id, ${isPaused(beginning)} as snoozed
      from experiments join ${waitingIn(states)} on experiments.state_id = decided.state_id
      where experiments.id = ${experimentId} and ${isResting} and ${visibleExperiments(scope, filter)}
    ), before as materialized (
      select found.key, found.id from ${waitingIn(states)} cross join own cross join lateral (
        select ${micros} + decided.shift as key, experiments.id from experiments
        where experiments.state_id = decided.state_id and ${isResting} and ${listed}
          and (experiments.resting_since, experiments.id) < (${ownMoment}, own.id)
        order by experiments.resting_since desc, experiments.id desc limit ${sql.lit(maxPosition)}) as found
    ), after as materialized (
      select found.key, found.id from ${waitingIn(states)} left join own on true cross join lateral (
        select ${micros} + decided.shift as key, experiments.id from experiments
        where experiments.state_id = decided.state_id and ${isResting} and ${listed}
          and (experiments.resting_since, experiments.id) > (coalesce(${ownMoment}, '-infinity'), coalesce(own.id, 0))
        order by experiments.resting_since, experiments.id limit 1) as found
    )
    select (select least((select count(*) from before) + 1, ${sql.lit(maxPosition)})::integer
        from own where not own.snoozed) as position,
      ${neighbour(sql`select before.id from before order by before.key desc, before.id desc limit 1`)} as previous,
      ${neighbour(sql`select after.id from after order by after.key, after.id limit 1`)} as next`.execute(db);
  return rows[0] ?? { position: null, previous: null, next: null };
}
