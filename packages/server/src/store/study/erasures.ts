/** Erasure requests and certificates. The SQL functions of migrations 0011 and 0028 destroy the data. */
import { sql } from 'kysely';
import { allowLongStatements, type Db, type Tx } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { inScope, type Scope } from '../scope.ts';

export interface ErasureRow {
  id: number;
  subject_id: number;
  requested_by: number;
  requested_by_name: string;
  requested_at: string;
  confirm_until: string;
  /** Whether it can still be confirmed. */
  open: boolean;
  erased_by: number | null;
  erased_by_name: string | null;
  erased_at: string | null;
  destroyed: Record<string, number> | null;
  history_id: number | null;
  sequence: number | null;
  hash: string | null;
}

/** The latest request for a subject. If the subject was erased, it is that one, because no later request is possible. */
export async function findErasure(db: Db, scope: Scope, subjectId: number): Promise<ErasureRow | undefined> {
  const { rows } = await sql<ErasureRow>`
    select asked.id, asked.subject_id, asked.requested_by, asked.requested_at,
      coalesce(nullif(asking.name, ''), asking.username) as requested_by_name,
      asked.requested_at + interval '24 hours' as confirm_until,
      erasures.id is null and asked.requested_at > clock_timestamp() - interval '24 hours' as open,
      erasures.erased_by, coalesce(nullif(erasing.name, ''), erasing.username) as erased_by_name, erasures.erased_at,
      erasures.destroyed, erasures.history_id, erasures.sequence, encode(erasures.hash, 'hex') as hash
    from erasure_requests as asked
    join subjects on subjects.id = asked.subject_id
    join users as asking on asking.id = asked.requested_by
    left join erasures on erasures.id = asked.id
    left join users as erasing on erasing.id = erasures.erased_by
    where asked.subject_id = ${subjectId} and ${inScope(scope, 'subjects.cohort_id')}
    order by asked.id desc limit 1`.execute(db);
  return rows[0];
}

export async function getErasure(db: Db, scope: Scope, subjectId: number): Promise<ErasureRow> {
  const row = await findErasure(db, scope, subjectId);
  if (!row) throw notFound('erasure request for this subject');
  return row;
}

export async function insertErasureRequest(tx: Tx, subjectId: number, userId: number): Promise<number> {
  const { id } = await tx
    .insertInto('erasure_requests')
    .values({ subject_id: subjectId, requested_by: userId })
    .returning('erasure_requests.id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface Confirmation {
  erasureId: number;
  label: string;
  userId: number;
  requestId: string | null;
}

/** Can take long for a subject with many experiments, or with many stored responses, which have no index by subject. */
export async function eraseSubject(tx: Tx, { erasureId, label, userId, requestId }: Confirmation): Promise<void> {
  await allowLongStatements(tx);
  await sql`select erase_subject(${erasureId}, ${label}, ${userId}, ${requestId})`.execute(tx);
}
