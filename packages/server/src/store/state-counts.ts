/**
 * How many experiments are in each state, for each cohort. Whatever puts an experiment into another state or cohort inserts
 * by how many it changes the count of each; the count is the sum of what was folded and what was not, read by one statement
 * and thus of one moment. No row is written by two moves, so that none waits for another.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { inScope, type Scope } from './scope.ts';

/** For the statement of a move, whose experiment is `moved`. One that stays in its state changes no count. */
export const countMove = (leftId: number, { destination: { id: enteredId } }: { destination: { id: number } }) =>
  leftId === enteredId
    ? []
    : [
        sql`counted as (
          insert into state_count_deltas (state_id, cohort_id, experiments)
          select change.state_id, moved.cohort_id, change.experiments
          from moved cross join (values (${leftId}::bigint, -1), (${enteredId}::bigint, 1)) as change (state_id, experiments))`,
      ];

export const countCreation = (stateId: number) => sql`counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select ${stateId}::bigint, moved.cohort_id, 1 from moved)`;

/** For the statement that moves many: a row for each state and cohort, not for each experiment. */
export const countMoves = () => sql`counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select change.state_id, moved.cohort_id, sum(change.experiments)
  from moved cross join lateral (values (moved.from_id, -1), (moved.to_id, 1)) as change (state_id, experiments)
  group by change.state_id, moved.cohort_id)`;

/** A subject withdraws. Its experiments are held by this transaction. */
export async function uncount(tx: Tx, subjectId: number): Promise<void> {
  await sql`
    insert into state_count_deltas (state_id, cohort_id, experiments)
    select experiments.state_id, experiments.cohort_id, -count(*)
    from experiments where experiments.subject_id = ${subjectId}
    group by experiments.state_id, experiments.cohort_id`.execute(tx);
}

/** The experiments are in the new cohort already, and held by this transaction. Those of a subject who withdrew are not counted. */
export async function countChangeOfCohort(
  tx: Tx,
  of: { subjectId: number } | { experimentId: number },
  { left, entered }: { left: number; entered: number },
): Promise<void> {
  const ofThese =
    'subjectId' in of ? sql`experiments.subject_id = ${of.subjectId}` : sql`experiments.id = ${of.experimentId}`;
  await sql`
    insert into state_count_deltas (state_id, cohort_id, experiments)
    select experiments.state_id, change.cohort_id, sum(change.experiments)
    from experiments cross join (values (${left}::bigint, -1), (${entered}::bigint, 1)) as change (cohort_id, experiments)
    where ${ofThese} and not exists (
      select from subjects where subjects.id = experiments.subject_id and subjects.withdrawn_at is not null)
    group by experiments.state_id, change.cohort_id`.execute(tx);
}

/** So many rows are folded at a time: well within the time that a statement has. */
const batch = 20_000;

/**
 * Folds what was inserted into the sums, all of it in one statement: readers see it once, before or after. One process does
 * it at a time; others find the lock taken and leave it to that one.
 */
export async function foldCounts(db: Db, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const folded = await foldBatch(db);
    if (folded < batch || signal?.aborted) return;
  }
}

/**
 * Planned anew each time. The table is all but empty for most of its life, and a plan that was made then, and kept, holds each
 * row of a large one against all others, which takes minutes.
 */
const foldBatch = (db: Db): Promise<number> =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx);
    return foldSome(tx);
  });

/** Joined by their places: compared with a list of them, each row could be held against the whole list. */
async function foldSome(tx: Tx): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with mine as materialized (
      select pg_try_advisory_xact_lock(hashtext('fold-counts')) as locked
    ), chosen as materialized (
      select waiting.ctid as place from state_count_deltas as waiting where (select mine.locked from mine) limit ${batch}
    ), taken as (
      delete from state_count_deltas using chosen where state_count_deltas.ctid = chosen.place
      returning state_count_deltas.state_id, state_count_deltas.cohort_id, state_count_deltas.experiments
    ), added as (
      insert into state_counts as counts (state_id, cohort_id, experiments)
      select taken.state_id, taken.cohort_id, sum(taken.experiments) from taken
      group by taken.state_id, taken.cohort_id having sum(taken.experiments) <> 0
      on conflict (state_id, cohort_id) do update set experiments = counts.experiments + excluded.experiments)
    select count(*) as folded from taken`.execute(tx);
  return rows[0]?.folded ?? 0;
}

export interface StateCount {
  id: number;
  label: string;
  experiments: number;
  failed: number;
  timed_out: number;
  blocked: number;
  waiting: number;
}

export interface CountFilter {
  workflowId: number;
  cohortId?: number | undefined;
}

type Within = (cohortColumn: string) => RawBuilder<boolean>;

/** The living states of a workflow in definition order, and retired ones that still hold experiments. */
export async function countStates(db: Db, scope: Scope, { workflowId, cohortId }: CountFilter): Promise<StateCount[]> {
  const within: Within = (column) =>
    cohortId === undefined
      ? inScope(scope, column)
      : sql<boolean>`${inScope(scope, column)} and ${sql.ref(column)} = ${cohortId}`;
  const { rows } = await sql<StateCount>`
    with of_workflow as materialized (select states.* from states where states.workflow_id = ${workflowId}),
      ${counted(within)}, ${troubled(within)}, ${awaiting(within)}
    select of_workflow.id, of_workflow.label, coalesce(counted.experiments, 0) as experiments,
      coalesce(troubled.failed, 0) as failed, coalesce(troubled.timed_out, 0) as timed_out,
      coalesce(troubled.blocked, 0) as blocked, coalesce(awaiting.experiments, 0) as waiting
    from of_workflow left join counted on counted.state_id = of_workflow.id
      left join troubled on troubled.state_id = of_workflow.id left join awaiting on awaiting.state_id = of_workflow.id
    where not of_workflow.retired or counted.experiments > 0
    order by of_workflow.position, of_workflow.id`.execute(db);
  return rows;
}

const counted = (within: Within) => sql`counted as (
  select parts.state_id, sum(parts.experiments)::bigint as experiments
  from (
    select state_counts.state_id, state_counts.experiments from state_counts
    where state_counts.state_id in (select of_workflow.id from of_workflow) and ${within('state_counts.cohort_id')}
    union all
    select deltas.state_id, deltas.experiments from state_count_deltas as deltas
    where deltas.state_id in (select of_workflow.id from of_workflow) and ${within('deltas.cohort_id')}
  ) as parts
  group by parts.state_id)`;

/**
 * The open incidents of everybody, by their index; then each one's experiment, by its id: what is open is little beside what
 * there is, and the planner is not left to think otherwise.
 */
const troubled = (within: Within) => sql`troubled as (
  select one.state_id, count(*) filter (where 'failed' = any(open.kinds)) as failed,
    count(*) filter (where 'timed_out' = any(open.kinds)) as timed_out,
    count(*) filter (where open.kinds && '{brake,no_way_on,unclaimed}') as blocked
  from (
    select incidents.experiment_id, array_agg(incidents.kind) as kinds from incidents
    where incidents.closed_at is null group by incidents.experiment_id
  ) as open cross join lateral (
    select experiments.state_id, experiments.cohort_id from experiments where experiments.id = open.experiment_id offset 0
  ) as one
  where one.state_id in (select of_workflow.id from of_workflow) and ${within('one.cohort_id')}
  group by one.state_id)`;

/** Of the latest action: what was left behind may wait on, and nothing depends on it any more (rule 11). */
const awaiting = (within: Within) => sql`awaiting as (
  select one.state_id, count(*) as experiments
  from (
    select distinct callback_executions.action_id from callback_executions where callback_executions.status = 'waiting'
  ) as open cross join lateral (
    select experiments.state_id, experiments.cohort_id
    from actions join experiments on experiments.id = actions.experiment_id and experiments.action_sequence = actions.sequence
    where actions.id = open.action_id offset 0
  ) as one
  where one.state_id in (select of_workflow.id from of_workflow) and ${within('one.cohort_id')}
  group by one.state_id)`;
