/** One experiment as its page shows it: ours, beyond the specification (docs/decisions/0023). */
import type { ExperimentOverview, experimentOverviewOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../database/connection.ts';
import { settleExperiment, type Seen } from '../engine/settle.ts';
import { ok, type Handlers } from '../http/call.ts';
import type { Links } from '../links.ts';
import { readExternalSystems } from '../store/attempts.ts';
import { listLatestNotes } from '../store/notes.ts';
import { listScansOf, type ScanRow } from '../store/scans.ts';
import { readShownRows } from './experiment-rows.ts';
import { moving } from './experiments.ts';
import { showNote } from './notes.ts';
import { showScantype } from './scans.ts';
import { waysOn } from './state-changes.ts';

type Overview = Static<typeof ExperimentOverview>;

const mostScans = 1000;
const mostNotes = 100;

export const experimentOverviewHandlers: Handlers<typeof experimentOverviewOperations> = {
  /** Whose state has changed between the first statement and the next is read anew: the ways are those of the state shown. */
  async getExperimentOverview(call) {
    const { database, account, links, params } = call;
    return settleExperiment(moving(call), params.id, async (seen) => {
      const [row] = await readShownRows(database.db, links, [params.id]);
      if (row?.state.id !== seen.inputs.state_id) return undefined;
      const scans = await listScansOf(database.db, account.scope, params.id, mostScans);
      const notes = await listLatestNotes(database.db, account.scope, params.id, mostNotes);
      return ok({
        ...row,
        api_uri: links.apiUri('experiments', params.id),
        variable_map: seen.inputs.variables,
        external_ids: await externalIdsOf(database.db, seen),
        scans: scans.map((scan) => showScan(links, scan)),
        notes: notes.map(showNote),
        ...waysOn(call, seen),
      });
    });
  },
};

/** In the order of the systems. */
async function externalIdsOf(db: Db, { inputs }: Seen): Promise<Overview['external_ids']> {
  const systems = Object.entries(await readExternalSystems(db));
  return systems.flatMap(([system_name, url]) => {
    const external_id = inputs.external_ids[system_name];
    return external_id === undefined ? [] : [{ system_name, url, external_id }];
  });
}

const showScan = (links: Links, { id, scantype_id, modality = '', protocol = '' }: ScanRow) => ({
  id,
  uri: links.uri('scans', id),
  scantype: showScantype(links, { id: scantype_id, modality, protocol }),
});
