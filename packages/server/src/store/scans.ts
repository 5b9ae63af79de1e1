import { sql } from 'kysely';
import { notFound } from '../errors.ts';
import type { Database, Db, Tx } from '../database/connection.ts';
import { readList, type Page } from '../database/read-list.ts';
import { inOrderOfScope, inScope, type Scope } from './scope.ts';

/** What lies in other tables is there only if it was asked for. */
export interface ScanRow {
  id: number;
  experiment_id: number;
  experiment_label?: string;
  scantype_id: number;
  modality?: string;
  protocol?: string;
}

export interface WantedOfScans {
  experimentLabel: boolean;
  scantype: boolean;
}

/** Joined from the left, although nothing is ever missing: rows that are only counted, to be skipped, are then not joined. */
const selectScans = (db: Db, scope: Scope, wanted: WantedOfScans) =>
  db
    .selectFrom('scans')
    .select(['scans.id', 'scans.experiment_id', 'scans.scantype_id'])
    .where(inScope(scope, 'scans.cohort_id'))
    .$if(wanted.experimentLabel, (q) =>
      q
        .leftJoin('experiments', 'experiments.id', 'scans.experiment_id')
        .select(sql.ref<string>('experiments.label').as('experiment_label')),
    )
    .$if(wanted.scantype, (q) =>
      q
        .leftJoin('scantypes', 'scantypes.id', 'scans.scantype_id')
        .select([
          sql.ref<string>('scantypes.modality').as('modality'),
          sql.ref<string>('scantypes.protocol').as('protocol'),
        ]),
    );

export const getScan = (db: Db, scope: Scope, id: number, wanted: WantedOfScans): Promise<ScanRow> =>
  selectScans(db, scope, wanted)
    .where('scans.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`scan with the id ${id}`));

export const listScans = (database: Database, scope: Scope, wanted: WantedOfScans, page: Page) =>
  readList(
    database,
    selectScans(database.db, scope, wanted),
    { id: 'scans.id', ...inOrderOfScope(scope, { cohort: 'scans.cohort_id', id: 'scans.id' }) },
    page,
  );

export const listScansOf = (db: Db, scope: Scope, experimentId: number, limit: number): Promise<ScanRow[]> =>
  selectScans(db, scope, { experimentLabel: false, scantype: true })
    .where('scans.experiment_id', '=', experimentId)
    .orderBy('scans.id')
    .limit(limit)
    .execute();

export interface ScanValues {
  experiment_id: number;
  /** That of the experiment: the database refuses any other. */
  cohort_id: number;
  scantype_id: number;
}

export async function insertScan(tx: Tx, values: ScanValues): Promise<number> {
  return (await tx.insertInto('scans').values(values).returning('scans.id').executeTakeFirstOrThrow()).id;
}
