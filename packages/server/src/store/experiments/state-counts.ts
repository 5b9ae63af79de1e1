/**
 * The number of experiments per state and cohort. Every change of a state or cohort inserts deltas, which a task folds into the
 * counts. A count is the sum of both, read in one statement. Moves never update the same row, so they do not wait for each other.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { inScope, type Scope } from '../scope.ts';
import { decides, hasExits, isResting, isUndecided } from './resting.ts';

const countChanges = sql`moved cross join lateral (values (moved.from_id, -1), (moved.to_id, 1)) as change (state_id, experiments)
  where moved.from_id <> moved.to_id`;

/** Part of a statement that moves one experiment. A move within a state changes no count. */
export const countMoveSql = sql`counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select change.state_id, moved.cohort_id, change.experiments from ${countChanges})`;

/** Part of a statement that moves many experiments. Inserts one row per state and cohort, not per experiment. */
export const countMovesSql = sql`counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select change.state_id, moved.cohort_id, sum(change.experiments) from ${countChanges}
  group by change.state_id, moved.cohort_id)`;

export const countCreationSql = sql`counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select moved.to_id, moved.cohort_id, 1 from moved)`;

export const countCreationsSql = sql`counted as (
  insert into state_count_deltas (state_id, cohort_id, experiments)
  select moved.to_id, moved.cohort_id, count(*) from moved group by moved.to_id, moved.cohort_id)`;

/** Subtracts the experiments of a subject that withdraws. The caller has locked them. */
export async function subtractCounts(tx: Tx, subjectId: number): Promise<void> {
  await sql`
    insert into state_count_deltas (state_id, cohort_id, experiments)
    select experiments.state_id, experiments.cohort_id, -count(*)
    from experiments where experiments.subject_id = ${subjectId}
    group by experiments.state_id, experiments.cohort_id`.execute(tx);
}

/** Called after the experiments changed cohort and were locked. Those of withdrawn subjects are not counted. */
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

/** Rows folded at a time, well within the statement timeout. */
const batch = 20_000;

/**
 * Folds deltas into the counts. Each batch is one statement, so readers see every delta exactly once. A lock lets one process
 * fold at a time, and others skip.
 */
export async function foldCounts(db: Db, signal?: AbortSignal): Promise<void> {
  for (const foldBatch of [foldStates, foldCohorts]) {
    for (;;) {
      const folded = await foldBatch(db);
      if (folded < batch || signal?.aborted) break;
    }
  }
}

/** Of subjects and visits. Their triggers write the deltas. */
async function foldCohorts(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    select case when pg_try_advisory_xact_lock(hashtext('fold-cohort-counts')) then fold_cohort_counts(${batch}) else 0 end as folded`.execute(
    db,
  );
  return rows[0]?.folded ?? 0;
}

/**
 * Planned each time. The table is usually almost empty. A cached plan for an empty table would compare every row with all others
 * in a large one, which takes minutes.
 */
const foldStates = (db: Db): Promise<number> =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx);
    return foldSome(tx);
  });

/** Joins by ctid. With a list of ctids, each row could be compared with the whole list. */
async function foldSome(tx: Tx): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with fold_lock as materialized (
      select pg_try_advisory_xact_lock(hashtext('fold-counts')) as acquired
    ), chosen as materialized (
      select waiting.ctid as place from state_count_deltas as waiting where (select fold_lock.acquired from fold_lock) limit ${batch}
    ), taken as (
      delete from state_count_deltas using chosen where state_count_deltas.ctid = chosen.place
      returning state_count_deltas.state_id, state_count_deltas.cohort_id, state_count_deltas.experiments
    ), added as (
      insert into state_counts as counts (state_id, cohort_id, experiments, changed_at)
      select taken.state_id, taken.cohort_id, sum(taken.experiments), now() from taken
      group by taken.state_id, taken.cohort_id having sum(taken.experiments) <> 0
      on conflict (state_id, cohort_id)
      do update set experiments = counts.experiments + excluded.experiments, changed_at = excluded.changed_at)
    select count(*) as folded from taken`.execute(tx);
  return rows[0]?.folded ?? 0;
}

export interface Totals {
  /** All experiments, without those of withdrawn subjects. */
  total: number;
  /** Those in states that are not final. */
  open: number;
}

export async function countTotals(db: Db, scope: Scope, { cohortId }: Partial<CountFilter>): Promise<Totals> {
  const within = withinCohorts(scope, cohortId);
  const { rows } = await sql<Totals>`
    with parts as (
      select state_counts.state_id, sum(state_counts.experiments) as experiments from state_counts
      where ${within('state_counts.cohort_id')} group by state_counts.state_id
      union all
      select deltas.state_id, sum(deltas.experiments) from state_count_deltas as deltas
      where ${within('deltas.cohort_id')} group by deltas.state_id)
    select coalesce(sum(parts.experiments), 0)::bigint as total,
      coalesce(sum(parts.experiments) filter (where ${hasExits}), 0)::bigint as open
    from parts join states on states.id = parts.state_id`.execute(db);
  return rows[0] ?? { total: 0, open: 0 };
}

export interface StateCount {
  id: number;
  label: string;
  experiments: number;
  failed: number;
  timed_out: number;
  blocked: number;
  running: number;
  retrying: number;
  waiting: number;
  waiting_overdue: number;
  decide: number;
  decide_overdue: number;
  undecided: number;
  attention: number;
}

export interface CountFilter {
  workflowId: number;
  cohortId?: number | undefined;
}

type Within = (cohortColumn: string) => RawBuilder<boolean>;

const withinCohorts =
  (scope: Scope, cohortId: number | undefined): Within =>
  (column) =>
    cohortId === undefined
      ? inScope(scope, column)
      : sql<boolean>`${inScope(scope, column)} and ${sql.ref(column)} = ${cohortId}`;

/** The states of a workflow in definition order, including retired ones that still have experiments. */
export async function countStates(db: Db, scope: Scope, { workflowId, cohortId }: CountFilter): Promise<StateCount[]> {
  const within = withinCohorts(scope, cohortId);
  const { rows } = await sql<StateCount>`
    with of_workflow as materialized (select states.* from states where states.workflow_id = ${workflowId}), ${snoozed},
      ${counted(within)}, ${withIncidents(within)}, ${active(within)}, ${resting(within)}
    select states.id, states.label, coalesce(counted.experiments, 0) as experiments,
      coalesce(with_incidents.failed, 0) as failed, coalesce(with_incidents.timed_out, 0) as timed_out,
      coalesce(with_incidents.blocked, 0) as blocked, ${running} as running, coalesce(active.retrying, 0) as retrying,
      coalesce(active.waiting, 0) as waiting, coalesce(active.waiting_overdue, 0) as waiting_overdue,
      coalesce(resting.decide, 0) as decide, coalesce(resting.decide_overdue, 0) as decide_overdue,
      coalesce(resting.undecided, 0) as undecided,
      coalesce(with_incidents.awake, 0) + coalesce(active.waiting_overdue, 0) + coalesce(resting.decide, 0) as attention
    from of_workflow join states on states.id = of_workflow.id left join counted on counted.state_id = states.id
      left join with_incidents on with_incidents.state_id = states.id left join active on active.state_id = states.id
      left join resting on resting.state_id = states.id
    where not states.retired or counted.experiments > 0
    order by states.position, states.id`.execute(db);
  return rows;
}

/** Unless a state is final, experiments that neither rest, wait nor have an incident have active runs. */
const running = sql`case when ${hasExits} then greatest(0, coalesce(counted.experiments, 0)
  - coalesce(with_incidents.experiments, 0) - coalesce(active.waiting, 0) - coalesce(resting.experiments, 0)) else 0 end`;

/** What began later needs attention again. */
const snoozed = sql`snoozed as materialized (
  select follow_ups.experiment_id, follow_ups.snoozed_at from follow_ups where follow_ups.snoozed_until > now())`;

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

const isAwake = sql`(snoozed.snoozed_at is null or open.newest > snoozed.snoozed_at)`;

/**
 * Reads all open incidents by their index, then looks up each experiment by id. Few incidents are open, and `offset 0` keeps the
 * planner from choosing another plan.
 */
const withIncidents = (within: Within) => sql`with_incidents as (
  select one.state_id, count(*) as experiments,
    count(*) filter (where ${isAwake}) as awake,
    count(*) filter (where 'failed' = any(open.kinds) and ${isAwake}) as failed,
    count(*) filter (where 'timed_out' = any(open.kinds) and ${isAwake}) as timed_out,
    count(*) filter (where open.kinds && '{brake,no_way_on,unclaimed}' and ${isAwake}) as blocked
  from (
    select incidents.experiment_id, array_agg(incidents.kind) as kinds, max(incidents.opened_at) as newest from incidents
    where incidents.closed_at is null group by incidents.experiment_id
  ) as open cross join lateral (
    select experiments.state_id, experiments.cohort_id from experiments where experiments.id = open.experiment_id offset 0
  ) as one left join snoozed on snoozed.experiment_id = open.experiment_id
  where one.state_id in (select of_workflow.id from of_workflow) and ${within('one.cohort_id')}
  group by one.state_id)`;

/**
 * Runs that wait for a report or are retried. Counts the latest action only. Executions of superseded actions may still be open, but
 * nothing depends on them (rule 11).
 */
const active = (within: Within) => sql`active as (
  select one.state_id, count(*) filter (where open.waits) as waiting, 
    count(*) filter (where open.late is not null and (snoozed.snoozed_at is null or open.late > snoozed.snoozed_at)) as waiting_overdue,
    count(*) filter (where open.retries and open.late is null) as retrying
  from (
    select callback_executions.action_id, bool_or(callback_executions.status = 'waiting') as waits,
      bool_or(callback_executions.status = 'running') as retries,
      max(callback_executions.wait_start) filter (where callback_executions.wait_start < now() - interval '24 hours') as late
    from callback_executions
    where callback_executions.status = 'waiting' or callback_executions.status = 'running' and callback_executions.failures > 0
    group by callback_executions.action_id
  ) as open cross join lateral (
    select experiments.id, experiments.state_id, experiments.cohort_id
    from actions join experiments on experiments.id = actions.experiment_id and experiments.action_sequence = actions.sequence
    where actions.id = open.action_id offset 0
  ) as one left join snoozed on snoozed.experiment_id = one.id
  where one.state_id in (select of_workflow.id from of_workflow) and ${within('one.cohort_id')}
  group by one.state_id)`;

/** Reads the index of the experiments that rest, state by state. */
const resting = (within: Within) => sql`resting as (
  select states.id as state_id, found.experiments, case when ${decides} then found.awake else 0 end as decide,
    case when ${decides} then found.overdue else 0 end as decide_overdue,
    case when ${isUndecided} then found.experiments else 0 end as undecided
  from of_workflow join states on states.id = of_workflow.id cross join lateral (
    select count(*) as experiments, count(*) filter (where snoozed.snoozed_at is null) as awake, count(*) filter (
      where snoozed.snoozed_at is null and experiments.resting_since + (states.decision ->> 'due')::interval < now()) as overdue
    from experiments left join snoozed
      on snoozed.experiment_id = experiments.id and snoozed.snoozed_at >= experiments.resting_since
    where experiments.state_id = states.id and ${isResting} and ${within('experiments.cohort_id')}) as found
  where found.experiments > 0 and not states.retired and ${hasExits})`;
