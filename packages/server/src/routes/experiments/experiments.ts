/** Experiments and their state (specification, section 4, Experiments, and section 3). */
import type { Experiment, ExperimentExternalIds, experimentOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { createExperiment } from '../../engine/experiments/create-experiment.ts';
import { changeState } from '../../engine/experiments/change-state.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { readsAccount } from '../../http/access/deferred-account.ts';
import { present } from '../../http/field-mask.ts';
import * as experiments from '../../store/experiments/experiments.ts';
import { experimentIds, readExternalValues } from '../../store/study/external-values.ts';
import { externalIdHandlers } from '../study/external-ids.ts';
import { listAnswer } from '../lists.ts';
import { engineContext, type EngineServices } from '../engine-context.ts';
import { readAliased } from '../references/read-aliased.ts';
import { readExperimentFilter } from './experiment-filter.ts';
import { readScandate } from './scandate.ts';
import { showStateChange } from './state-change.ts';
import type { Owner } from '../study/external-values.ts';
import { showSaved } from '../show-saved.ts';

export const experimentOwner: Owner<experiments.ExperimentRow, Static<typeof ExperimentExternalIds>> = {
  objectKind: 'experiment',
  values: experimentIds,
  lock: experiments.lockExperiment,
  touch: experiments.raiseVersion,
  cohortId: (experiment) => experiment.cohort_id,
  answer: ({ id, label }, values) => ({ experiment_id: id, experiment_label: label, external_ids: values }),
};

const externalIds = externalIdHandlers(experimentOwner, experiments.getExperiment);

export const experimentHandlers: Handlers<typeof experimentOperations, EngineServices> = {
  async createExperiment(call) {
    const {
      label,
      subject_id: subjectId,
      subject_label: subjectLabel,
      cohort_label: cohortLabel,
      scandate,
    } = call.body;
    const wanted = {
      label,
      subject: { id: subjectId, label: subjectLabel, cohortLabel },
      workflow: readAliased(call.body, 'workflow_label', 'workflow'),
      scandate: scandate === undefined ? null : readScandate(scandate),
    };
    const id = await createExperiment(engineContext(call), wanted);
    return showSavedExperiment(call, 201, id);
  },

  async listExperiments(call) {
    const read = await readExperimentFilter(call, call.query);
    if (!read) return ok({ experiments: [] });
    const list = await experiments.listExperiments(call.database, read.scope, read.filter, call.query);
    return listAnswer('experiments', list, (row) => call.links.ref('experiments', row));
  },

  getExperiment: readsAccount(async (call: Call<typeof experimentOperations.getExperiment>) => {
    const experiment = await experiments.getShownExperiment(call.database.db, call.account, call.params.id);
    return ok(await showExperiment(call, experiment), experiment.version);
  }),

  addExperimentExternalIds: externalIds.add,
  getExperimentExternalIds: externalIds.get,
  setExperimentExternalId: externalIds.set,
  deleteExperimentExternalId: externalIds.delete,

  async getExperimentState({ database, account, params, links }) {
    const experiment = await experiments.getExperiment(database.db, account.scope, params);
    const { state_id: id, state_label: label, version } = experiment;
    return ok({ state: links.ref('states', { id, label }) }, version);
  },

  setExperimentState: readsAccount(
    async (call: Call<typeof experimentOperations.setExperimentState> & EngineServices) => {
      const { freetext = '', expected_state: expectedState, variables } = call.body;
      // The schema requires one of the two names.
      const { value: stateLabel = '' } = readAliased(call.body, 'state_label', 'state') ?? {};
      const request = { experimentId: call.params.id, stateLabel, freetext, expectedState, variables };
      return showStateChange(call, await changeState(engineContext(call), request));
    },
  ),
};

/** Shows an experiment as it is after a change. */
export const showSavedExperiment = (call: Call, status: 200 | 201, id: number) =>
  showSaved(call, { status, uri: call.links.uri('experiments', id) }, async (reading) => {
    const row = await experiments.getShownExperiment(reading.database.db, reading.account, id);
    return { body: await showExperiment(reading, row), version: row.version };
  });

/** The maps are read unless the row has them. */
export function showExperiment(
  { database, links, fields }: Call,
  row: experiments.ExperimentRow & Partial<experiments.ShownExperiment>,
): Promise<Static<typeof Experiment>> {
  return present(fields, {
    id: row.id,
    uri: links.uri('experiments', row.id),
    api_uri: links.apiUri('experiments', row.id),
    web_uri: links.webUri('experiments', row.id),
    label: row.label,
    scandate: row.scandate,
    state: links.ref('states', { id: row.state_id, label: row.state_label }),
    subject: links.ref('subjects', { id: row.subject_id, label: row.subject_label }),
    external_ids: row.external_ids ?? (() => readExternalValues(database.db, experimentIds, row.id)),
    variable_map: row.variable_map ?? (() => experiments.readVariables(database.db, row.id)),
  });
}
