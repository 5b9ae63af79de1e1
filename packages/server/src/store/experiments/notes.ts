import { sql } from 'kysely';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { notFound } from '../../errors.ts';
import { inScope, type Scope } from '../scope.ts';

export interface NoteRow {
  id: number;
  text: string;
  created_at: string;
  user_id: number;
  author_name: string;
}

const selectNotes = (db: Db, scope: Scope) =>
  db
    .selectFrom('notes')
    .innerJoin('users', 'users.id', 'notes.user_id')
    .select(['notes.id', 'notes.text', 'notes.created_at', 'notes.user_id'])
    .select(sql<string>`coalesce(nullif(users.name, ''), users.username)`.as('author_name'))
    .where(inScope(scope, 'notes.cohort_id'));

export const listNotes = (database: Database, scope: Scope, experimentId: number, page: Page) =>
  readList(
    database,
    selectNotes(database.db, scope),
    { id: 'notes.id', parent: { column: 'notes.experiment_id', id: experimentId } },
    page,
  );

/** Newest first. */
export const listLatestNotes = (db: Db, scope: Scope, experimentId: number, limit: number): Promise<NoteRow[]> =>
  selectNotes(db, scope)
    .where('notes.experiment_id', '=', experimentId)
    .orderBy('notes.id', 'desc')
    .limit(limit)
    .execute();

export const getNote = (db: Db, scope: Scope, id: number): Promise<NoteRow> =>
  selectNotes(db, scope)
    .where('notes.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`note with id ${id}`));

export interface NoteValues {
  experiment_id: number;
  /** The cohort of the experiment. The database rejects any other. */
  cohort_id: number;
  user_id: number;
  text: string;
}

export async function insertNote(tx: Tx, values: NoteValues): Promise<number> {
  return (await tx.insertInto('notes').values(values).returning('notes.id').executeTakeFirstOrThrow()).id;
}

/** At least one note. Returns the ids by experiment. */
export async function insertNotes(
  tx: Tx,
  values: readonly NoteValues[],
): Promise<{ id: number; experiment_id: number }[]> {
  return tx.insertInto('notes').values(values).returning(['notes.id', 'notes.experiment_id']).execute();
}
