import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';

export interface ScantypeRow {
  id: number;
  modality: string;
  protocol: string;
  version: number;
}

const selectScantypes = (db: Db) =>
  db.selectFrom('scantypes').select(['scantypes.id', 'scantypes.modality', 'scantypes.protocol', 'scantypes.version']);

export const findScantype = (db: Db, protocol: string): Promise<ScantypeRow | undefined> =>
  selectScantypes(db).where('scantypes.protocol', '=', protocol).executeTakeFirst();

export const getScantype = (db: Db, id: number): Promise<ScantypeRow> =>
  selectScantypes(db)
    .where('scantypes.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`scan type with id ${id}`));

export const listScantypes = (database: Database, page: Page) =>
  readList(database, selectScantypes(database.db), { id: 'scantypes.id' }, page);

export async function insertScantype(tx: Tx, values: Omit<ScantypeRow, 'id' | 'version'>): Promise<number> {
  return (await tx.insertInto('scantypes').values(values).returning('scantypes.id').executeTakeFirstOrThrow()).id;
}

export async function updateScantype(tx: Tx, id: number, modality: string): Promise<void> {
  await tx
    .updateTable('scantypes')
    .set((scantype) => ({ modality, version: scantype('version', '+', 1) }))
    .where('scantypes.id', '=', id)
    .execute();
}
