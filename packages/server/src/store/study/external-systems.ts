import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';

export interface ExternalSystemRow {
  id: number;
  system_name: string;
  url: string;
  version: number;
}

const selectSystems = (db: Db) =>
  db
    .selectFrom('external_systems')
    .select([
      'external_systems.id',
      'external_systems.system_name',
      'external_systems.url',
      'external_systems.version',
    ]);

const missing = (id: number) => notFound(`external system with id ${id}`);

export const getExternalSystem = (db: Db, id: number): Promise<ExternalSystemRow> =>
  selectSystems(db)
    .where('external_systems.id', '=', id)
    .executeTakeFirstOrThrow(() => missing(id));

export const findExternalSystem = (
  db: Db,
  key: { id: number } | { label: string },
): Promise<ExternalSystemRow | undefined> =>
  ('id' in key
    ? selectSystems(db).where('external_systems.id', '=', key.id)
    : selectSystems(db).where('external_systems.system_name', '=', key.label)
  ).executeTakeFirst();

export const listExternalSystems = (database: Database, page: Page) =>
  readList(database, selectSystems(database.db), { id: 'external_systems.id' }, page);

/** Returns the existing systems among these names. */
export const findExternalSystems = (db: Db, names: readonly string[]): Promise<ExternalSystemRow[]> =>
  selectSystems(db)
    .where((where) => where('external_systems.system_name', '=', where.fn.any(where.val([...names]))))
    .execute();

/** At most 1,000, by id. */
export async function listSystemNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('external_systems').select('system_name').orderBy('id').limit(1000).execute();
  return rows.map(({ system_name: name }) => name);
}

/** Locks the external system until the end of the transaction. */
export async function lockExternalSystem(tx: Tx, id: number): Promise<ExternalSystemRow> {
  return selectSystems(tx)
    .where('external_systems.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => missing(id));
}

export type ExternalSystemValues = Omit<ExternalSystemRow, 'id' | 'version'>;

export async function insertExternalSystem(tx: Tx, values: ExternalSystemValues): Promise<number> {
  const inserted = tx.insertInto('external_systems').values(values).returning('external_systems.id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

export async function updateExternalSystem(tx: Tx, id: number, changes: Partial<ExternalSystemValues>): Promise<void> {
  await tx
    .updateTable('external_systems')
    .set((system) => ({ ...changes, version: system('version', '+', 1) }))
    .where('external_systems.id', '=', id)
    .execute();
}
