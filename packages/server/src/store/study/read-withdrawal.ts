/** Reads the withdrawal of a subject from its history, and the runs that a withdrawal ends. */
import type { openStatuses } from '@milepost/api';
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

export interface WithdrawalRow {
  at: string;
  by_id: number | null;
  by_name: string | null;
  reason: string | null;
}

/** The caller has found the subject. Undefined if it has not withdrawn. */
export async function findWithdrawal(db: Db, subjectId: number): Promise<WithdrawalRow | undefined> {
  const { rows } = await sql<WithdrawalRow>`
    select history.at, users.id as by_id, coalesce(nullif(users.name, ''), users.username) as by_name,
      nullif(coalesce(history_values.reason, history.reason), '') as reason
    from history left join history_values on history_values.history_id = history.id
      left join users on history.actor_kind = 'user' and users.id = history.actor_id
    where history.chain = 'subject' and history.chain_id = ${subjectId} and history.operation = 'withdrawSubject'
    order by history.sequence limit 1`.execute(db);
  return rows[0];
}

export interface EndingRun {
  id: number;
  callback: string;
  status: (typeof openStatuses)[number];
  experiment_id: number;
  experiment_label: string;
  /** The number of all runs. */
  count: number;
}

const shown = 20;

export async function listEndingRuns(db: Db, subjectId: number): Promise<EndingRun[]> {
  const { rows } = await sql<EndingRun>`
    select one.id, callback_versions.label as callback, one.status, experiments.id as experiment_id,
      experiments.label as experiment_label, count(*) over () as count
    from experiments join actions on actions.experiment_id = experiments.id
      join callback_executions as one on one.action_id = actions.id and one.status not in ('finished', 'skipped')
      join callback_versions on callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
    where experiments.subject_id = ${subjectId}
    order by one.id limit ${shown}`.execute(db);
  return rows;
}

/** Experiments that are not in a final state. */
export async function countMoving(db: Db, subjectId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from experiments where experiments.subject_id = ${subjectId} and exists (
      select from transitions
      where transitions.source_state_id = experiments.state_id and transitions.kind = 'defined' and not transitions.retired)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
