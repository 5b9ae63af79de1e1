/**
 * Marks experiments that rest: nothing runs for them, they have no open incident, and their state is not final. Only a user moves
 * them on. The mark is valid for the action whose sequence it names, so a move needs no write to remove it.
 */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import type { Columns } from '../../database/given-rows.ts';

/** A condition on `experiments`, the same as that of the index. */
export const isResting = sql<boolean>`experiments.resting_sequence = experiments.action_sequence`;

export const restColumns: Columns<{ rests?: boolean | undefined }> = {
  rests: { type: 'boolean', of: ({ rests }) => rests },
};

/**
 * Part of the statement that changes experiments. Each row reads the clock, so that a list of thousands that came to rest together
 * has an order. A re-evaluated action keeps the time.
 */
export const restSql = (enters: boolean) => {
  const next = enters
    ? sql`experiments.action_sequence + (given.to_id is not null)::integer`
    : sql`experiments.action_sequence`;
  return sql`,
    resting_sequence = case when given.rests is null then experiments.resting_sequence when given.rests then ${next} end,
    resting_since = case when given.rests and (experiments.resting_sequence is distinct from ${next})
      then clock_timestamp() else experiments.resting_since end`;
};

const batch = 5000;

/**
 * Corrects the marks. Experiments rest without one if they are from before there were marks, were moved by the previous release, or
 * are in a state that was final. Others have a mark but do not rest, such as those whose subject withdrew under the previous release.
 * Safe to run at any time and in many processes.
 */
export async function markResting(db: Db, { workflowId }: { workflowId?: number } = {}, signal?: AbortSignal) {
  for (const stateId of await listOpenStates(db, workflowId)) await markState(db, stateId, signal);
}

async function markState(db: Db, stateId: number, signal: AbortSignal | undefined): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    if (signal?.aborted) return;
    after = await markBatch(db, stateId, after);
  }
}

/** States with experiments that are not final. */
async function listOpenStates(db: Db, workflowId: number | undefined): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select states.id from states where not states.retired and ${hasExits}
      and exists (select from experiments where experiments.state_id = states.id)
      and ${workflowId === undefined ? sql`true` : sql`states.workflow_id = ${workflowId}`}`.execute(db);
  return rows.map(({ id }) => id);
}

/** A condition on `states`. */
export const hasExits = sql<boolean>`exists (
  select from transitions where transitions.source_state_id = states.id and transitions.kind = 'defined' and not transitions.retired)`;

/** A condition on `states`: no transition leaves it, or a retired state never had one. Its experiments are finished. */
export const isFinal = sql<boolean>`not exists (
  select from transitions where transitions.source_state_id = states.id and transitions.kind = 'defined'
    and (states.retired or not transitions.retired))`;

/** Conditions on `states`. Users must decide in the first kind, and may have to in the second. */
export const decides = sql<boolean>`(states.decision is not null or not exists (
  select from transitions where transitions.source_state_id = states.id and transitions.kind = 'defined'
    and not transitions.retired and transitions.by <> 'person'))`;
export const isUndecided = sql<boolean>`(not ${decides} and states.outcome is null)`;

/**
 * Returns the last id of the page, or null at the end. An experiment that changes at the same time is left as it is, because it is
 * locked or its version differs. Rows are locked in the order of their ids, as by other changes of many experiments.
 */
async function markBatch(db: Db, stateId: number, after: number): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with page as materialized (
      select experiments.id, experiments.version, experiments.action_sequence, experiments.subject_id,
        coalesce(${isResting}, false) as marked
      from experiments where experiments.state_id = ${stateId} and experiments.id > ${after}
      order by experiments.state_id, experiments.id limit ${batch}
    ), judged as materialized (
      select page.id, page.version, page.marked, latest.since, not exists (
          select from subjects where subjects.id = page.subject_id and subjects.withdrawn_at is not null)
        and not exists (select from callback_executions where callback_executions.action_id = latest.id
          and callback_executions.status not in ('finished', 'skipped'))
        and not exists (select from incidents where incidents.experiment_id = page.id and incidents.closed_at is null) as rests
      from page cross join lateral (
        select actions.id, coalesce(actions.end_time, actions.start_time) as since from actions
        where actions.experiment_id = page.id and actions.sequence = page.action_sequence limit 1) as latest
    ), due as materialized (
      select judged.id, judged.version, judged.rests, judged.since + row_number() over () * interval '1 microsecond' as since
      from judged where judged.marked <> judged.rests
    ), locked as materialized (
      select experiments.id, due.rests, due.since from experiments join due on due.id = experiments.id
      where experiments.version = due.version
      order by experiments.id for no key update of experiments skip locked
    ), written as (
      update experiments
      set resting_sequence = case when locked.rests then experiments.action_sequence end, resting_since = locked.since,
        version = experiments.version + 1
      from locked where experiments.id = locked.id)
    select case when count(*) = ${batch} then max(page.id) end as last from page`.execute(db);
  return rows[0]?.last ?? null;
}
