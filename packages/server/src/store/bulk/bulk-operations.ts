/** Bulk operations. Their author sees them, and users who can read all their experiments. */
import type { BulkKind, BulkStatus } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { dueSetsOf, isDue, timesOf, type Continuation } from '../due-sets.ts';
import type { Caller } from '../people/caller.ts';
import { idsOf } from '../scope.ts';

/** The change of each experiment. Each kind has some of these fields. */
export interface BulkChange {
  state?: string;
  run_callbacks?: boolean;
  variables?: Record<string, unknown>;
  user_id?: number | null;
  text?: string;
}

/** One of these chooses the experiments. */
export interface BulkSource {
  query: string | null;
  experiment_ids: number[] | null;
  refused_of: number | null;
}

export interface NewBulkOperation extends BulkSource {
  kind: BulkKind;
  change: BulkChange;
  author_id: number;
  token_id: number | null;
  request_id: string | null;
  starts_itself: boolean;
  reason: string;
  rate: number;
}

export interface BulkCounts {
  experiments: number;
  ready: number;
  done: number;
  refused: number;
}

export interface BulkOperationRow extends Omit<NewBulkOperation, 'experiment_ids'>, BulkCounts {
  id: number;
  status: BulkStatus;
  stopped_because: string | null;
  waiting_for: string | null;
  per_minute: number | null;
  author_name: string;
  created_at: string;
  checked_at: string | null;
  started_at: string | null;
  ended_at: string | null;
}

export async function insertBulkOperation(tx: Tx, { change, ...values }: NewBulkOperation): Promise<number> {
  const row = { ...values, change: JSON.stringify(change) };
  return (await tx.insertInto('bulk_operations').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** The caller has locked the author. */
export async function countUnended(tx: Tx, authorId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('bulk_operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', authorId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The cohorts are known after the check. Without any, its texts can still name subjects of others. */
const isVisibleTo = ({ id, scope }: Caller): RawBuilder<boolean> => sql<boolean>`(
  bulk_operations.author_id = ${id} or bulk_operations.checked_at is not null
    and (${idsOf(scope)}::bigint[] is null
      or bulk_operations.cohort_ids <@ ${idsOf(scope)}::bigint[] and bulk_operations.cohort_ids <> '{}'))`;

const selectOperations = (where: RawBuilder<unknown>) => sql<BulkOperationRow>`
  select bulk_operations.id, bulk_operations.kind, bulk_operations.change, bulk_operations.author_id, bulk_operations.token_id,
    bulk_operations.request_id, bulk_operations.query, bulk_operations.refused_of, bulk_operations.status, bulk_operations.starts_itself,
    bulk_operations.stopped_because, bulk_operations.waiting_for, bulk_operations.reason, bulk_operations.rate, bulk_operations.per_minute,
    bulk_operations.experiments, bulk_operations.ready, bulk_operations.done, bulk_operations.refused,
    bulk_operations.created_at, bulk_operations.checked_at, bulk_operations.started_at, bulk_operations.ended_at,
    coalesce(nullif(users.name, ''), users.username) as author_name
  from bulk_operations join users on users.id = bulk_operations.author_id where ${where}`;

export async function findBulkOperation(db: Db, caller: Caller, id: number): Promise<BulkOperationRow | undefined> {
  const where = sql`bulk_operations.id = ${id} and ${isVisibleTo(caller)}`;
  return (await selectOperations(where).execute(db)).rows[0];
}

export async function getBulkOperation(db: Db, caller: Caller, id: number): Promise<BulkOperationRow> {
  const found = await findBulkOperation(db, caller, id);
  if (!found) throw notFound(`bulk operation with id ${id}`);
  return found;
}

/** Locks the operation until the end of the transaction. Waits for the set that a worker is changing. */
export async function lockBulkOperation(tx: Tx, caller: Caller, id: number): Promise<BulkOperationRow> {
  await sql`select from bulk_operations where bulk_operations.id = ${id} and ${isVisibleTo(caller)}
    for no key update`.execute(tx);
  return getBulkOperation(tx, caller, id);
}

export interface BulkListPage {
  own: boolean;
  /** Without dry runs. */
  applied: boolean;
  before: number | undefined;
  limit: number;
}

/** Newest first. */
export async function listBulkOperations(
  db: Db,
  caller: Caller,
  { own, applied, before, limit }: BulkListPage,
): Promise<BulkOperationRow[]> {
  const visible = own ? sql`bulk_operations.author_id = ${caller.id}` : isVisibleTo(caller);
  const start = before === undefined ? sql`true` : sql`bulk_operations.id < ${before}`;
  const kind = applied ? sql`(bulk_operations.starts_itself or bulk_operations.started_at is not null)` : sql`true`;
  const where = sql`${visible} and ${kind} and ${start} order by bulk_operations.id desc limit ${limit}`;
  return (await selectOperations(where).execute(db)).rows;
}

export interface BulkUpdate extends Partial<BulkCounts> {
  status?: BulkStatus;
  stopped_because?: string | null;
  reason?: string;
  rate?: number;
  per_minute?: number;
  cohort_ids?: number[];
  checked_to?: number;
  /** Not needed after the check. */
  experiment_ids?: null;
  token_id?: number | null;
}

/** The caller has locked the operation. A worker continues with it after the given seconds. */
export async function updateBulkOperation(
  tx: Tx,
  id: number,
  changes: BulkUpdate,
  continuation: Continuation = {},
): Promise<void> {
  await tx
    .updateTable('bulk_operations')
    .set({
      ...changes,
      ...timesOf(changes.status, continuation),
      ...(changes.status === 'running' && { checked_at: sql<string>`coalesce(checked_at, clock_timestamp())` }),
    })
    .where('id', '=', id)
    .execute();
}

/** The columns that a worker reads. */
export interface DueOperation
  extends
    Pick<
      NewBulkOperation,
      | 'kind'
      | 'change'
      | 'author_id'
      | 'token_id'
      | 'request_id'
      | 'query'
      | 'refused_of'
      | 'starts_itself'
      | 'reason'
      | 'rate'
    >,
    BulkCounts {
  id: number;
  status: 'checking' | 'running';
  /** Its query has not run yet. */
  has_to_query: boolean;
  checked_to: number;
  cohort_ids: number[];
  per_minute: number | null;
  tries: number;
  waiting_for: string | null;
}

/** Locks the operation that has waited longest. Skips those that other workers have locked. */
export async function lockDueOperation(tx: Tx): Promise<DueOperation | undefined> {
  const { rows } = await sql<DueOperation>`
    select id, kind, change, author_id, token_id, request_id, query, refused_of, starts_itself, reason, rate, experiments, ready, done,
      refused, status, checked_to, cohort_ids, per_minute, tries, waiting_for, query is not null and experiment_ids is null as has_to_query
    from bulk_operations where ${isDue}`.execute(tx);
  return rows[0];
}

export const {
  postpone: postponeOperation,
  secondsUntilDue,
  lockIdle: lockIdleOperation,
} = dueSetsOf('bulk_operations');
