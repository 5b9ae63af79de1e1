import type { Db, Tx } from '../database/connection.ts';

export interface ScantypeRow {
  id: number;
  modality: string;
  protocol: string;
}

export const findScantype = (db: Db, protocol: string): Promise<ScantypeRow | undefined> =>
  db
    .selectFrom('scantypes')
    .select(['scantypes.id', 'scantypes.modality', 'scantypes.protocol'])
    .where('scantypes.protocol', '=', protocol)
    .executeTakeFirst();

export async function insertScantype(tx: Tx, values: Omit<ScantypeRow, 'id'>): Promise<number> {
  return (await tx.insertInto('scantypes').values(values).returning('scantypes.id').executeTakeFirstOrThrow()).id;
}

export async function updateScantype(tx: Tx, id: number, modality: string): Promise<void> {
  await tx
    .updateTable('scantypes')
    .set((scantype) => ({ modality, version: scantype('version', '+', 1) }))
    .where('scantypes.id', '=', id)
    .execute();
}
