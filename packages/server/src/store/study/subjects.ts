import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { inScope, inScopeOfList, orderByScope, type Scope } from '../scope.ts';
import { countChangeOfCohort } from '../experiments/state-counts.ts';
import { subjectErased } from './withdrawals.ts';

export interface SubjectRow {
  id: number;
  label: string;
  date_of_birth: string | null;
  cohort_id: number;
  cohort_label: string;
  withdrawn_at: string | null;
  erased_at: string | null;
  version: number;
}

/** With `cohortId`, only in this cohort. */
export type SubjectKey = { id: number; cohortId?: number } | { label: string; cohortId: number };

export const describeSubject = (key: SubjectKey) =>
  'id' in key ? `subject with id ${key.id}` : `subject "${key.label}" in this cohort`;

function selectSubject(db: Db, scope: Scope, key: SubjectKey) {
  const subjects = db
    .selectFrom('subjects')
    .innerJoin('cohorts', 'cohorts.id', 'subjects.cohort_id')
    .select([
      'subjects.id',
      'subjects.label',
      'subjects.date_of_birth',
      'subjects.cohort_id',
      'subjects.withdrawn_at',
      'subjects.erased_at',
      'subjects.version',
      'cohorts.label as cohort_label',
    ])
    .where(inScope(scope, 'subjects.cohort_id'));
  const one =
    'id' in key ? subjects.where('subjects.id', '=', key.id) : subjects.where('subjects.label', '=', key.label);
  return key.cohortId === undefined ? one : one.where('subjects.cohort_id', '=', key.cohortId);
}

export const findSubject = (db: Db, scope: Scope, key: SubjectKey): Promise<SubjectRow | undefined> =>
  selectSubject(db, scope, key).executeTakeFirst();

export const getSubject = (db: Db, scope: Scope, key: SubjectKey): Promise<SubjectRow> =>
  selectSubject(db, scope, key).executeTakeFirstOrThrow(() => notFound(describeSubject(key)));

/**
 * Locks the subject until the end of the transaction, then reads it. In a locking join, a subject whose cohort changes while the
 * statement waits would match no cohort and seem not to exist.
 */
export async function lockAnySubject(tx: Tx, scope: Scope, id: number): Promise<SubjectRow> {
  await tx.selectFrom('subjects').select('subjects.id').where('subjects.id', '=', id).forNoKeyUpdate().execute();
  return getSubject(tx, scope, { id });
}

/** Rejects an erased subject, which cannot be changed. */
export async function lockSubject(tx: Tx, scope: Scope, id: number): Promise<SubjectRow> {
  const subject = await lockAnySubject(tx, scope, id);
  if (subject.erased_at !== null) throw subjectErased();
  return subject;
}

/** `cohortId` limits the list to one cohort. */
export function listSubjects(database: Database, scope: Scope, { cohortId }: { cohortId?: number }, page: Page) {
  const order =
    cohortId === undefined
      ? orderByScope(scope, { cohort: 'subjects.cohort_id', id: 'subjects.id' })
      : { parent: { column: 'subjects.cohort_id', id: cohortId } };
  const subjects = database.db
    .selectFrom('subjects')
    .select(['subjects.id', 'subjects.label', 'subjects.withdrawn_at', 'subjects.erased_at'])
    .where(inScopeOfList(scope, 'subjects.cohort_id', order));
  return readList(database, subjects, { id: 'subjects.id', ...order }, page);
}

export interface SubjectValues {
  label: string;
  cohort_id: number;
  date_of_birth: string | null;
}

export async function insertSubject(tx: Tx, values: SubjectValues): Promise<number> {
  const { id } = await tx.insertInto('subjects').values(values).returning('subjects.id').executeTakeFirstOrThrow();
  return id;
}

/** Increments the version of the subject and of its experiments, because their conditions read the subject. */
export const touchSubject = (tx: Tx, id: number): Promise<void> => writeSubject(tx, id, {});

/**
 * Writes the changes and increments versions. The foreign key passes a new cohort on to the experiments. They are counted
 * afterwards, because then this transaction has locked all of them, and none can move or be added until it ends. A new label, too, is
 * counted with all experiments locked.
 */
export async function updateSubject(
  tx: Tx,
  { id, cohort_id: leftCohortId }: Pick<SubjectRow, 'id' | 'cohort_id'>,
  changes: Partial<SubjectValues>,
): Promise<void> {
  if (changes.label !== undefined) await sql`select from subjects where subjects.id = ${id} for update`.execute(tx);
  await writeSubject(tx, id, changes);
  if (changes.cohort_id === undefined) return;
  await countChangeOfCohort(tx, { subjectId: id }, { left: leftCohortId, entered: changes.cohort_id });
}

async function writeSubject(tx: Tx, id: number, changes: Partial<SubjectValues>): Promise<void> {
  await tx
    .updateTable('experiments')
    .set((experiment) => ({ version: experiment('version', '+', 1) }))
    .where('experiments.subject_id', '=', id)
    .execute();
  await tx
    .updateTable('subjects')
    .set((subject) => ({ ...changes, version: subject('version', '+', 1) }))
    .where('subjects.id', '=', id)
    .execute();
}
