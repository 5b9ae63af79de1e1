/** The data of an experiment page (docs/decisions/0023). */
import type { ExperimentOverview, experimentOverviewOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import { withExperiment, type Snapshot } from '../../engine/experiments/optimistic-lock.ts';
import { withValues } from '../../engine/experiments/read-values.ts';
import type { Reading } from '../../engine/experiments/workflow-model.ts';
import { ok, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { readExternalSystems } from '../../store/runs/attempts.ts';
import { noFollowUp, readFollowUps } from '../../store/experiments/follow-ups.ts';
import { listLatestNotes } from '../../store/experiments/notes.ts';
import { listExperimentScans, type ScanRow } from '../../store/study/scans.ts';
import { readShownRows } from './experiment-rows.ts';
import { engineContext, type EngineServices } from '../engine-context.ts';
import { showNote } from '../experiments/notes.ts';
import { showScantype } from '../study/scans.ts';
import { showTransitions } from '../experiments/state-change.ts';

type Overview = Static<typeof ExperimentOverview>;

const maxScans = 1000;
const maxNotes = 100;

export const experimentOverviewHandlers: Handlers<typeof experimentOverviewOperations, EngineServices> = {
  /** Reads again if the experiment moved in between, so that the transitions match the state in the response. */
  async getExperimentOverview(call) {
    const { database, account, links, params } = call;
    const context = engineContext(call);
    return withExperiment(context, params.id, async (read) => {
      const snapshot = await withValues(context, read, { transitions: [...read.state.transitions, shownFields] });
      const [row] = await readShownRows(database.db, links, [params.id]);
      if (!snapshot || row?.state.id !== snapshot.inputs.state_id) return undefined;
      const scans = await listExperimentScans(database.db, account.scope, params.id, maxScans);
      const notes = await listLatestNotes(database.db, account.scope, params.id, maxNotes);
      const followUps = await readFollowUps(database.db, account.scope, [params.id]);
      return ok({
        ...row,
        ...(followUps.get(params.id) ?? noFollowUp),
        api_uri: links.apiUri('experiments', params.id),
        variable_map: snapshot.inputs.variables ?? {},
        external_ids: await externalIdsOf(database.db, snapshot),
        scans: scans.map((scan) => showScan(links, scan)),
        notes: notes.map(showNote),
        ...showTransitions(call, snapshot),
      });
    });
  },
};

/** Read together with the values that the conditions read. */
const shownFields: Reading = {
  valueReads: () => [],
  fieldReads: () => new Set(['experiment.variables', 'experiment.external_ids']),
};

/** In the order of the external systems. */
async function externalIdsOf(db: Db, { inputs }: Snapshot): Promise<Overview['external_ids']> {
  const systems = Object.entries(await readExternalSystems(db));
  return systems.flatMap(([system_name, url]) => {
    const external_id = inputs.external_ids?.[system_name];
    return external_id === undefined ? [] : [{ system_name, url, external_id }];
  });
}

const showScan = (links: Links, { id, scantype_id, modality = '', protocol = '' }: ScanRow) => ({
  id,
  uri: links.uri('scans', id),
  scantype: showScantype(links, { id: scantype_id, modality, protocol }),
});
