import { sql, type RawBuilder } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';
import { inScope, inScopeOfList, orderByScope, type Scope } from '../scope.ts';

/** Fields of other tables are only present if they were requested. */
export interface ScanRow {
  id: number;
  experiment_id: number;
  experiment_label?: string;
  scantype_id: number;
  modality?: string;
  protocol?: string;
}

export interface ScanFields {
  experimentLabel: boolean;
  scantype: boolean;
}

/** Left joins, although no row is missing, so that PostgreSQL omits them for skipped rows. */
const selectScans = (db: Db, visible: RawBuilder<boolean>, fields: ScanFields) =>
  db
    .selectFrom('scans')
    .select(['scans.id', 'scans.experiment_id', 'scans.scantype_id'])
    .where(visible)
    .$if(fields.experimentLabel, (q) =>
      q
        .leftJoin('experiments', 'experiments.id', 'scans.experiment_id')
        .select(sql.ref<string>('experiments.label').as('experiment_label')),
    )
    .$if(fields.scantype, (q) =>
      q
        .leftJoin('scantypes', 'scantypes.id', 'scans.scantype_id')
        .select([
          sql.ref<string>('scantypes.modality').as('modality'),
          sql.ref<string>('scantypes.protocol').as('protocol'),
        ]),
    );

export const getScan = (db: Db, scope: Scope, id: number, fields: ScanFields): Promise<ScanRow> =>
  selectScans(db, inScope(scope, 'scans.cohort_id'), fields)
    .where('scans.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound(`scan with id ${id}`));

export function listScans(database: Database, scope: Scope, fields: ScanFields, page: Page) {
  const order = orderByScope(scope, { cohort: 'scans.cohort_id', id: 'scans.id' });
  const scans = selectScans(database.db, inScopeOfList(scope, 'scans.cohort_id', order), fields);
  return readList(database, scans, { id: 'scans.id', ...order }, page);
}

export const listExperimentScans = (db: Db, scope: Scope, experimentId: number, limit: number): Promise<ScanRow[]> =>
  selectScans(db, inScope(scope, 'scans.cohort_id'), { experimentLabel: false, scantype: true })
    .where('scans.experiment_id', '=', experimentId)
    .orderBy('scans.id')
    .limit(limit)
    .execute();

export interface ScanValues {
  experiment_id: number;
  /** The cohort of the experiment. The database rejects any other. */
  cohort_id: number;
  scantype_id: number;
}

export async function insertScan(tx: Tx, values: ScanValues): Promise<number> {
  return (await tx.insertInto('scans').values(values).returning('scans.id').executeTakeFirstOrThrow()).id;
}
