/** Reads the items of the attention list by their keys, in at most two statements. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { shownCause } from '../runs/shown-cause.ts';
import { ownWaiting } from '../runs/queue-incidents.ts';
import type { Scope } from '../scope.ts';
import { attentionOf, itemOf, type AttentionKind } from './attention.ts';
import { joinSurroundings, surroundings, type SurroundingsRow } from './experiment-rows.ts';

interface ItemRow extends SurroundingsRow {
  id: number;
  since: string;
  callback: string | null;
  description: string | null;
  last_error: string | null;
  cause: string | null;
  execution_id: number | null;
  attempt: number | null;
  next_attempt_at: string | null;
}

export interface AttentionItem extends ItemRow {
  /** The key in the list. */
  key: number;
  kind: AttentionKind;
  /** The detail of an incident, recorded when it was opened. */
  detail: string;
  incident_id: number | null;
  cause_group: string | null;
  /** Of an incident of a queue. */
  queue: string | null;
  passed_over: number | null;
  experiments: number;
}

/** An incident of a queue shows the experiments in scope, and of this cohort if it is given. */
export interface VisibleItems {
  scope: Scope;
  cohortId: number | undefined;
}

/** Returns the items in the order of the keys. */
export async function readAttentionItems(
  db: Db,
  visible: VisibleItems,
  keys: readonly number[],
): Promise<AttentionItem[]> {
  const items = keys.map((key) => ({ key, ...itemOf(key) }));
  const idsOf = (incidents: boolean) =>
    items.filter(({ kind }) => (kind === 'incident') === incidents).map(({ id }) => id);
  const incidents = byId(await readIncidents(db, visible, idsOf(true)));
  const executions = byId(await readExecutions(db, idsOf(false)));
  return items.flatMap(({ key, kind, id }): AttentionItem[] => {
    if (kind !== 'incident') {
      const row = executions.get(id);
      return row ? [{ ...row, ...ofExperiment, key, kind, detail: '', incident_id: null }] : [];
    }
    const row = incidents.get(id);
    return row ? [{ ...row, key, kind: attentionOf[row.incident_kind], incident_id: id }] : [];
  });
}

const ofExperiment = { cause_group: null, queue: null, passed_over: null, experiments: 1 };

const byId = <R extends { id: number }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]));

const ofExecution = sql`
  callback_versions.label as callback, callback_versions.description, one.last_error, ${shownCause} as cause, one.id as execution_id, one.attempt,
  one.next_attempt_at`;

interface IncidentRow extends ItemRow {
  incident_kind: keyof typeof attentionOf;
  detail: string;
  cause_group: string | null;
  queue: string | null;
  passed_over: number | null;
  experiments: number;
}

async function readIncidents(
  db: Db,
  { scope, cohortId }: VisibleItems,
  ids: readonly number[],
): Promise<IncidentRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<IncidentRow>`
    select incidents.id, incidents.kind as incident_kind, incidents.opened_at as since, incidents.detail, incidents.cause_group,
      incidents.queue, case when incidents.queue is not null then incidents.execution_id end as passed_over,
      coalesce(waiting.experiments, 1) as experiments, ${surroundings}, ${ofExecution}
    from incidents left join lateral (${ownWaiting(scope, cohortId)}) as waiting on incidents.queue is not null
    join experiments on experiments.id = coalesce(incidents.experiment_id, waiting.experiment_id) ${joinSurroundings}
    left join callback_executions as one on one.id = coalesce(waiting.execution_id, incidents.execution_id)
    left join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where incidents.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

async function readExecutions(db: Db, ids: readonly number[]): Promise<ItemRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ItemRow>`
    select one.id, coalesce(one.wait_start, one.run_start, one.created) as since, ${surroundings}, ${ofExecution}
    from callback_executions as one join callback_versions
      on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    join actions on actions.id = one.action_id
    join experiments on experiments.id = actions.experiment_id ${joinSurroundings}
    where one.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}
