/**
 * The terms about the past: moves and runs in a period, by days in UTC. Indexes have moves by transition and time, the arrivals in one of
 * their own, and runs that failed or were retried by callback and time.
 */
import type { queries } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import { isFinal } from '../experiments/resting.ts';
import type { Resolved } from './resolve-query.ts';
import { buffersOfLookup } from './search-limits.ts';

type Check = RawBuilder<boolean>;
type Moves = Extract<Resolved, { kind: 'moves' }>;
type Runs = Extract<Resolved, { kind: 'runs' }>;

/** The ends of a period. The bounds of days are `>=` and `<`. */
function periodOf(bounds: queries.Bounds<string>): { from: RawBuilder<unknown>; to: RawBuilder<unknown> } {
  const at = (operator: string, missing: string) =>
    sql`(${bounds.find((one) => one.operator === operator)?.value ?? missing}::timestamp at time zone 'UTC')`;
  return { from: at('>=', '-infinity'), to: at('<', 'infinity') };
}

const within = (column: string, alternatives: readonly queries.Bounds<string>[]): Check =>
  sql<boolean>`(${sql.join(
    alternatives.map((bounds) => {
      const { from, to } = periodOf(bounds);
      return sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`;
    }),
    sql` or `,
  )})`;

const final = (column: string) => sql<boolean>`${sql.ref(column)} in (select states.id from states where ${isFinal})`;

interface Which {
  /** A condition on the `transitions` of moves, or undefined if only arrivals count. */
  moves?: Check;
  /** The same for arrivals, which are in the destination of their transition. */
  arrivals?: Check;
  /** A condition on `actions`, which an index does not know. */
  more?: (of: 'actions' | 'near') => Check;
}

/** Corrections, and moves before the callbacks have ended, are no decisions. On rows of actions under another name. */
const isDecision = (of: 'actions' | 'near') => sql<boolean>`${sql.ref(`${of}.actor_kind`)} = 'user' and exists (
  select from actions as before where before.experiment_id = ${sql.ref(`${of}.experiment_id`)} and before.sequence = ${sql.ref(`${of}.sequence`)} - 1
    and before.end_time <= ${sql.ref(`${of}.start_time`)} offset 0)`;

function whichOf({ name, states }: Moves): Which {
  const into = sql<boolean>`transitions.destination_state_id = any(${[...states]}::bigint[])`;
  const outOf = sql<boolean>`transitions.source_state_id = any(${[...states]}::bigint[])`;
  const finishes = final('transitions.destination_state_id');
  switch (name) {
    case 'arrived':
      return { arrivals: sql<boolean>`true` };
    case 'finished':
      return { arrivals: finishes, moves: sql<boolean>`${finishes} and not ${final('transitions.source_state_id')}` };
    case 'entered':
      return { arrivals: into, moves: into };
    case 'left':
      return { moves: outOf };
    case 'decided':
      return { moves: sql<boolean>`${outOf} and transitions.kind = 'defined'`, more: isDecision };
    default:
      return name satisfies never;
  }
}

const never = sql<boolean>`false`;
const always = sql<boolean>`true`;

/**
 * The rows of a period that an index finds, and a query for the ids of those that match, from these rows under the name `near`. So the number
 * of rows that are read can be limited, although few of them match.
 */
export interface Near {
  rows: RawBuilder<unknown>;
  matching: RawBuilder<unknown>;
  /** Some of the rows do not match. */
  hasOthers: boolean;
  /** Buffers to read one. */
  buffersOfRow: number;
}

export function hasMoved(condition: Moves): Check {
  const { moves = never, arrivals = never, more } = whichOf(condition);
  return sql<boolean>`exists (
    select from actions join transitions on transitions.id = actions.transition_id
    where actions.experiment_id = experiments.id and ${moves === never ? sql`actions.sequence = 1` : always}
      and actions.retry_of is null and ${within('actions.start_time', condition.anyOf)}
      and case when actions.sequence = 1 then ${arrivals} else ${moves} end and ${more?.('actions') ?? always} offset 0)`;
}

export function moved(condition: Moves): Near {
  const { moves, arrivals, more } = whichOf(condition);
  const parts = condition.anyOf.flatMap((bounds) => [
    ...(moves ? [movesBy(moves, sql<boolean>`actions.sequence > 1`, { bounds, more })] : []),
    ...(arrivals ? [movesBy(sql<boolean>`transitions.kind <> 'defined' and ${arrivals}`, isArrival, { bounds })] : []),
  ]);
  return {
    rows: sql.join(parts, sql` union all `),
    matching: sql`select near.experiment_id as id from near where ${more?.('near') ?? always}`,
    hasOthers: more !== undefined,
    buffersOfRow: buffersOfLookup,
  };
}

/** By the transition of an entry, or by a correction if a spreadsheet names the state. */
const isArrival = sql<boolean>`actions.sequence = 1`;

/** The conditions name both columns of the index, as for the time in state. Arrivals are read from the index alone. */
function movesBy(
  which: Check,
  part: Check,
  { bounds, more }: { bounds: queries.Bounds<string>; more?: Which['more'] },
) {
  const { from, to } = periodOf(bounds);
  const columns = more
    ? sql`actions.experiment_id, actions.sequence, actions.start_time, actions.actor_kind`
    : sql`actions.experiment_id`;
  return sql`
  select made.* from (select transitions.id from transitions where ${which} offset 0) as chosen cross join lateral (
    select ${columns} from actions
    where (actions.transition_id, actions.start_time) >= (chosen.id, ${from}) and actions.transition_id >= chosen.id
      and (actions.transition_id, actions.start_time) < (chosen.id, ${to}) and actions.transition_id <= chosen.id
      and actions.retry_of is null and ${part} offset 0) as made`;
}

/** Skipped runs have not run. */
const isCounted = ({ name }: Runs, of: 'runs' | 'near') =>
  name === 'failed'
    ? sql<boolean>`${sql.ref(`${of}.result`)} in ('failed', 'timeout')`
    : sql<boolean>`${sql.ref(`${of}.attempt`)} > 1`;

const hasCause = ({ cause }: Runs) =>
  cause === undefined
    ? always
    : cause === null
      ? sql<boolean>`runs.cause_key is null`
      : sql<boolean>`runs.cause_key = ${cause}`;

export const hasRun = (condition: Runs): Check => sql<boolean>`exists (
  select from actions join callback_executions as runs on runs.action_id = actions.id
  where actions.experiment_id = experiments.id and runs.callback_id = any(${condition.callbacks}::bigint[])
    and runs.status = 'finished' and ${isCounted(condition, 'runs')} and ${hasCause(condition)}
    and ${within('runs.finished', condition.anyOf)} offset 0)`;

/** Looks up the action of each run that matches. Those of one cause have an index of their own. The literals are those of partial indexes. */
export function ran(condition: Runs): Near {
  const parts = condition.anyOf.map((bounds) => {
    const { from, to } = periodOf(bounds);
    return sql`
  select ended.* from unnest(${condition.callbacks}::bigint[]) as chosen (id) cross join lateral (
    select runs.action_id, runs.result, runs.attempt from callback_executions as runs
    where (runs.callback_id, runs.finished) >= (chosen.id, ${from}) and runs.callback_id >= chosen.id
      and (runs.callback_id, runs.finished) < (chosen.id, ${to}) and runs.callback_id <= chosen.id
      and runs.status = 'finished' and (runs.result in ('failed', 'timeout') or runs.attempt > 1) and ${hasCause(condition)} offset 0) as ended`;
  });
  return {
    rows: sql.join(parts, sql` union all `),
    matching: sql`select own.id from (select near.action_id from near where ${isCounted(condition, 'near')}) as ended
      cross join lateral (select actions.experiment_id as id from actions where actions.id = ended.action_id limit 1) as own`,
    hasOthers: true,
    buffersOfRow: 1,
  };
}
