/**
 * Assignments and snoozes of experiments. A snooze covers incidents, decisions and waits that had begun when it was set. Later ones are
 * still listed.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { adminRole } from '../people/roles.ts';
import { inScope, type Scope } from '../scope.ts';
import { isResting } from './resting.ts';

interface UserName {
  id: number;
  name: string;
}

export interface FollowUp {
  assignee: UserName | null;
  snooze: { until: string; note: string; by: UserName } | null;
}

export const noFollowUp: FollowUp = { assignee: null, snooze: null };

/** A condition on `experiments`. */
export const isSnoozed = (since: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from follow_ups where follow_ups.experiment_id = experiments.id
    and follow_ups.snoozed_until > now() and follow_ups.snoozed_at >= ${since})`;

/** A condition on `experiments`. */
export const isAssignedTo = (assignee: number | 'nobody'): RawBuilder<boolean> =>
  assignee === 'nobody'
    ? sql<boolean>`not exists (
        select from follow_ups where follow_ups.experiment_id = experiments.id and follow_ups.assignee_id is not null)`
    : sql<boolean>`experiments.id in (
        select follow_ups.experiment_id from follow_ups where follow_ups.assignee_id = ${assignee})`;

const nameOf = (user: string) =>
  sql`json_build_object('id', ${sql.ref(`${user}.id`)}, 'name', coalesce(nullif(${sql.ref(`${user}.name`)}, ''), ${sql.ref(`${user}.username`)}))`;

/** Whether nothing began after the snooze was set. */
const isInForce = sql<boolean>`(
  follow_ups.snoozed_until > now()
  and not coalesce(${isResting} and experiments.resting_since > follow_ups.snoozed_at, false)
  and not exists (select from actions where actions.experiment_id = experiments.id
    and actions.sequence = experiments.action_sequence and actions.start_time > follow_ups.snoozed_at)
  and not exists (select from incidents where incidents.experiment_id = experiments.id
    and incidents.closed_at is null and incidents.opened_at > follow_ups.snoozed_at)
  and not exists (select from callback_executions join actions on actions.id = callback_executions.action_id
    where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
      and callback_executions.status = 'waiting' and callback_executions.wait_start > follow_ups.snoozed_at))`;

/** By the id of the experiment. Those without a follow-up are left out. */
export async function readFollowUps(
  db: Db,
  scope: Scope,
  experimentIds: readonly number[],
): Promise<ReadonlyMap<number, FollowUp>> {
  if (experimentIds.length === 0) return new Map();
  const { rows } = await sql<FollowUp & { experiment_id: number }>`
    select follow_ups.experiment_id,
      case when assignee.id is not null then ${nameOf('assignee')} end as assignee,
      case when ${isInForce} then json_build_object('until', to_char(follow_ups.snoozed_until at time zone 'UTC', ${format}),
        'note', follow_ups.snooze_note, 'by', ${nameOf('snoozer')}) end as snooze
    from follow_ups join experiments on experiments.id = follow_ups.experiment_id
    left join users as assignee on assignee.id = follow_ups.assignee_id
    left join users as snoozer on snoozer.id = follow_ups.snoozed_by
    where follow_ups.experiment_id = any(${experimentIds}::bigint[]) and ${inScope(scope, 'follow_ups.cohort_id')}`.execute(
    db,
  );
  return new Map(rows.map(({ experiment_id: id, ...row }) => [id, row]));
}

const format = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

interface OfExperiment {
  experiment_id: number;
  /** The cohort of the experiment. The database rejects any other. */
  cohort_id: number;
}

/** The caller has locked the experiments. There is at least one. */
export async function saveAssignee(
  tx: Tx,
  experiments: readonly OfExperiment[],
  assignee_id: number | null,
): Promise<void> {
  await tx
    .insertInto('follow_ups')
    .values(experiments.map((of) => ({ ...of, assignee_id })))
    .onConflict((conflict) => conflict.column('experiment_id').doUpdateSet({ assignee_id }))
    .execute();
}

/** By the id of the experiment. Those without an assignee are left out. */
export async function readAssigneeIds(tx: Tx, experimentIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ experiment_id: number; assignee_id: number }>`
    select experiment_id, assignee_id from follow_ups
    where experiment_id = any(${[...experimentIds]}::bigint[]) and assignee_id is not null`.execute(tx);
  return new Map(rows.map((row) => [row.experiment_id, row.assignee_id]));
}

export interface SnoozeValues {
  snoozed_until: string;
  snoozed_by: number;
  snooze_note: string;
}

const noSnooze = { snoozed_at: null, snoozed_until: null, snoozed_by: null, snooze_note: null };

/** The caller has locked the experiment. */
export async function saveSnooze(tx: Tx, of: OfExperiment, snooze: SnoozeValues | null): Promise<void> {
  const values = snooze ? { ...snooze, snoozed_at: sql<string>`clock_timestamp()` } : noSnooze;
  await tx
    .insertInto('follow_ups')
    .values({ ...of, ...values })
    .onConflict((conflict) => conflict.column('experiment_id').doUpdateSet(values))
    .execute();
}

const mostAssignees = 100;

/** A condition on `roles`. Every permission allows to read, and an administrator has all. */
const canReadAtAll = sql`(roles.name = ${sql.lit(adminRole)} or cardinality(roles.permissions) > 0)`;

/** A condition on `users`: active, with a role for all cohorts or for one that matches a condition on `cohort_roles`. */
export const canReadIn = (isCohort: RawBuilder<boolean>) => sql<boolean>`users.active and (
  exists (select from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = users.id and ${canReadAtAll})
  or exists (select from cohort_roles join roles on roles.id = cohort_roles.role_id
    where cohort_roles.user_id = users.id and ${isCohort} and ${canReadAtAll}))`;

const canRead = (cohortId: number) => canReadIn(sql<boolean>`cohort_roles.cohort_id = ${cohortId}`);

export const shownName = sql<string>`coalesce(nullif(users.name, ''), users.username)`;

/** Users who can read a cohort, ordered by name. */
export async function listAssignees(db: Db, cohortId: number, prefix: string): Promise<UserName[]> {
  const { rows } = await sql<UserName>`
    select users.id, ${shownName} as name from users
    where ${canRead(cohortId)} and starts_with(lower(${shownName}), lower(${prefix}))
    order by lower(${shownName}), users.id limit ${sql.lit(mostAssignees)}`.execute(db);
  return rows;
}

export async function canBeAssigned(db: Db, cohortId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`select from users where users.id = ${userId} and ${canRead(cohortId)}`.execute(db);
  return rows.length > 0;
}
