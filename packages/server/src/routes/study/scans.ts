/** Scans and scan types (specification, section 4, Scans and scan types). */
import type { Scan, scanOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { created, ok, type Handlers } from '../../http/call.ts';
import { wants, type Fields } from '../../http/field-mask.ts';
import type { Links } from '../../links.ts';
import { lockExperiment } from '../../store/experiments/experiments.ts';
import { recordChange } from '../../store/record/record-change.ts';
import * as scans from '../../store/study/scans.ts';
import { getScantype, listScantypes, type ScantypeRow } from '../../store/study/scantypes.ts';
import { listAnswer } from '../lists.ts';
import { experimentReference, scantypeReference } from '../references/referable.ts';
import { resolveReference } from '../references/resolve-reference.ts';

/** Scans never change. */
const onlyVersion = 1;

type NewScanCall = Parameters<Handlers<typeof scanOperations>['createScan']>[0];

export const scanHandlers: Handlers<typeof scanOperations> = {
  async createScan(call) {
    const { database, account, links, fields } = call;
    const scan = await inTransaction(database.db, async (tx) =>
      scans.getScan(tx, account.scope, await addScan(tx, call), requestedFields(fields)),
    );
    return created(showScan(links, scan), onlyVersion);
  },

  async listScans({ database, account, query, links, fields }) {
    const list = await scans.listScans(database, account.scope, requestedFields(fields, 'scans'), query);
    return listAnswer('scans', list, (row) => showScan(links, row));
  },

  async getScan({ database, account, params, links, fields }) {
    const scan = await scans.getScan(database.db, account.scope, params.id, requestedFields(fields));
    return ok(showScan(links, scan), onlyVersion);
  },

  async listScantypes({ database, query, links }) {
    return listAnswer('scantypes', await listScantypes(database, query), (row) => showScantype(links, row));
  },

  async getScantype({ database, params, links }) {
    const scantype = await getScantype(database.db, params.id);
    return ok(showScantype(links, scantype), scantype.version);
  },
};

/** Locks the experiment, so that the scan and its event get its current cohort. */
async function addScan(tx: Tx, call: NewScanCall): Promise<number> {
  const { id: experimentId } = await resolveReference(tx, call, experimentReference, ['experiment_id', 'experiment']);
  const { id: scantypeId } = await resolveReference(tx, call, scantypeReference, [
    'scantype_id',
    'scantype_protocol',
    'scantype',
  ]);
  const { cohort_id: cohortId } = await lockExperiment(tx, call.account.scope, experimentId);
  const after = { experiment_id: experimentId, scantype_id: scantypeId };
  const id = await scans.insertScan(tx, { ...after, cohort_id: cohortId });
  await recordChange(tx, call.author, { objectKind: 'scan', objectId: id, cohortId, before: null, after });
  return id;
}

/** `list` is the response field that contains the scans. */
const requestedFields = (fields: Fields, ...list: string[]): scans.ScanFields => ({
  experimentLabel: wants(fields, ...list, 'experiment', 'label'),
  scantype: ['modality', 'protocol'].some((name) => wants(fields, ...list, 'scantype', name)),
});

/** Fields that were not requested are empty here. The mask removes them from the response. */
const showScan = (links: Links, row: scans.ScanRow): Static<typeof Scan> => ({
  id: row.id,
  uri: links.uri('scans', row.id),
  experiment: links.ref('experiments', { id: row.experiment_id, label: row.experiment_label ?? '' }),
  scantype: showScantype(links, {
    id: row.scantype_id,
    modality: row.modality ?? '',
    protocol: row.protocol ?? '',
  }),
});

export const showScantype = (links: Links, row: Omit<ScantypeRow, 'version'>) => ({
  id: row.id,
  modality: row.modality,
  protocol: row.protocol,
  uri: links.uri('scantypes', row.id),
});
