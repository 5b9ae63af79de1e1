/**
 * Writes the withdrawal of a subject to its experiments: ends open runs and removes the experiments from the counts. A subject
 * has few experiments, so one transaction does everything.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { Conflict, longPause } from '../../database/retry-on-conflict.ts';
import { Problem } from '../../errors.ts';
import { deleteJobs } from '../../jobs/insert-jobs.ts';
import type { Author } from '../record/history.ts';
import { shortenLog } from '../runs/shorten-log.ts';
import { subtractCounts } from '../experiments/state-counts.ts';

export interface Withdrawal {
  subjectId: number;
  date: string;
}

/** A condition for statements on `experiments`. Few subjects have withdrawn, and an index lists them. */
export const isNotWithdrawn = sql<boolean>`not exists (
  select from subjects as withdrawn where withdrawn.id = experiments.subject_id and withdrawn.withdrawn_at is not null)`;

const reason = 'The subject has withdrawn.';

export const subjectWithdrawn = () =>
  new Problem('subject_withdrawn', `${reason} Its experiments cannot move, and you cannot add experiments.`);

export const subjectErased = () =>
  new Problem('subject_erased', 'The subject was erased. You cannot add or change its data.');

/** The caller has locked the experiment, so that its subject cannot be erased at the same time. */
export async function rejectErased(tx: Tx, experimentId: number): Promise<void> {
  const { rows } = await sql`
    select from experiments join subjects on subjects.id = experiments.subject_id
    where experiments.id = ${experimentId} and subjects.erased_at is not null`.execute(tx);
  if (rows.length > 0) throw subjectErased();
}

/** Within a transaction, also prevents the subjects from withdrawing until it ends. */
export async function rejectWithdrawn(db: Db, ...subjectIds: number[]): Promise<void> {
  const { rows } = await sql<{ withdrawn: boolean }>`
    select subjects.withdrawn_at is not null as withdrawn from subjects
    where subjects.id = any(${subjectIds}::bigint[]) order by subjects.id for key share`.execute(db);
  if (rows.some(({ withdrawn }) => withdrawn)) throw subjectWithdrawn();
}

/**
 * Locks the subject against new experiments, which `lockSubject` does not. Then locks its workflows as moves do, so that no
 * import moves the experiments, and finally the experiments. Does not wait for an import with a connection.
 */
export async function lockExperiments(tx: Tx, subjectId: number): Promise<void> {
  await sql`select from subjects where subjects.id = ${subjectId} for update`.execute(tx);
  const { rows } = await sql<{ complete: boolean }>`
    with wanted as (
      select distinct experiments.workflow_id as id from experiments where experiments.subject_id = ${subjectId}
    ), locked as (
      select workflows.id from workflows where workflows.id in (select wanted.id from wanted)
      order by workflows.id for key share skip locked)
    select (select count(*) from wanted) = (select count(*) from locked) as complete`.execute(tx);
  if (!rows[0]?.complete) throw new Conflict('A workflow of the subject is being changed.', longPause);
  await sql`
    select from experiments where experiments.subject_id = ${subjectId} order by experiments.id for no key update`.execute(
    tx,
  );
}

/** The caller has called `lockExperiments`. */
export async function writeWithdrawal(tx: Tx, author: Author, withdrawal: Withdrawal): Promise<void> {
  const { subjectId, date } = withdrawal;
  await sql`
    update subjects set withdrawn_at = ${date}::date, version = subjects.version + 1
    where subjects.id = ${subjectId}`.execute(tx);
  await subtractCounts(tx, subjectId);
  await endRuns(tx, subjectId);
  await recordOnExperiments(tx, author, withdrawal);
}

const ofSubject = (subjectId: number) => sql`select actions.id from actions
  join experiments on experiments.id = actions.experiment_id where experiments.subject_id = ${subjectId}`;

/** Updates attempts before executions, in the same order as `addLateLog`. Workers stop their runs at the next heartbeat. */
async function endRuns(tx: Tx, subjectId: number): Promise<void> {
  await sql`
    update execution_attempts as one
    set ended_at = greatest(clock_timestamp(), one.started_at), error = ${reason}
    where one.ended_at is null and one.execution_id in (
      select callback_executions.id from callback_executions
      where callback_executions.action_id in (${ofSubject(subjectId)}))`.execute(tx);
  await sql`
    with clock as materialized (select clock_timestamp() as now),
    ended as (
      update callback_executions as one
      set status = case when one.status in ('created', 'queued') then 'skipped' else 'finished' end,
        result = case when one.status in ('created', 'queued') then 'none' else 'failed' end,
        finished = greatest(clock.now, one.wait_start, one.run_start, one.created),
        next_attempt_at = null, deadline = null, last_error = ${reason}, cause = ${reason}, cause_key = null, version = one.version + 1,
        run_log = ${shortenLog(sql`one.run_log || ${`${reason}\n`}`)}
      from clock cross join callback_versions
      where one.action_id in (${ofSubject(subjectId)}) and one.status not in ('finished', 'skipped')
        and callback_versions.callback_id = one.callback_id and callback_versions.version = one.callback_version
      returning one.id, one.action_id, callback_versions.queue
    ), dropped as (${deleteJobs(sql`select ended.id, ended.queue from ended`)}
    ), ended_actions as (
      update actions
      set end_time = greatest(clock.now, actions.start_time), success = false,
        return_value = json_build_object('subject_withdrawn', true)::text, version = actions.version + 1
      from clock
      where actions.id in (select ended.action_id from ended) and actions.end_time is null)
    update incidents set closed_at = greatest(clock.now, incidents.opened_at)
    from clock cross join experiments
    where experiments.id = incidents.experiment_id and experiments.subject_id = ${subjectId}
      and incidents.closed_at is null`.execute(tx);
}

/** Writes an entry and an event for each experiment. The new version makes moves in progress start over. */
async function recordOnExperiments(
  tx: Tx,
  { kind, id, requestId, operation }: Author,
  { subjectId, date }: Withdrawal,
): Promise<void> {
  await sql`
    with touched as (
      update experiments set version = experiments.version + 1, resting_sequence = null
      where experiments.subject_id = ${subjectId}
      returning experiments.id, experiments.cohort_id
    ), announced as (
      insert into events (kind, object_kind, object_id, cohort_id, data)
      select ${operation}, 'experiment', touched.id, touched.cohort_id, jsonb_build_object('subject_id', ${subjectId}::bigint)
      from touched order by touched.id)
    insert into history (actor_kind, actor_id, request_id, operation, object_kind, object_id, before, after, reason)
    select ${kind}, ${id}::bigint, ${requestId}, ${operation}, 'experiment', touched.id,
      jsonb_build_object('withdrawn_at', null), jsonb_build_object('withdrawn_at', ${date}::date), ''
    from touched order by touched.id`.execute(tx);
}
