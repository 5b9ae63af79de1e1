/** Experiments and their state (specification, section 4, Experiments, and section 3). */
import type { Experiment, ExperimentExternalIds, experimentOperations } from '@milepost/api';
import type { Static } from 'typebox';
import { createExperiment } from '../engine/create-experiment.ts';
import { changeState } from '../engine/change-state.ts';
import type { EngineContext } from '../engine/optimistic-lock.ts';
import { created, ok, type Call, type Handlers } from '../http/call.ts';
import { present } from '../http/field-mask.ts';
import * as experiments from '../store/experiments.ts';
import { findSubjectIds } from '../store/subjects.ts';
import { experimentIds, readExternalValues } from '../store/external-values.ts';
import { findStateIds } from '../store/workflows.ts';
import { externalIdHandlers } from './external-ids.ts';
import { listAnswer } from './lists.ts';
import { readReference } from './references.ts';
import { readScandate } from './scandate.ts';
import { showStateChange } from './state-changes.ts';
import type { Owner } from './external-values.ts';

export const experimentOwner: Owner<experiments.ExperimentRow, Static<typeof ExperimentExternalIds>> = {
  objectKind: 'experiment',
  values: experimentIds,
  lock: experiments.lockExperiment,
  touch: experiments.raiseVersion,
  cohortId: (experiment) => experiment.cohort_id,
  answer: ({ id, label }, values) => ({ experiment_id: id, experiment_label: label, external_ids: values }),
};

const externalIds = externalIdHandlers(experimentOwner, experiments.getExperiment);

export const experimentHandlers: Handlers<typeof experimentOperations> = {
  async createExperiment(call) {
    const { label, subject_id: subjectId, scandate, workflow_label: workflowLabel } = call.body;
    const wanted = {
      label,
      subjectId,
      workflowLabel,
      scandate: scandate === undefined ? null : readScandate(scandate),
    };
    const id = await createExperiment(engineContext(call), wanted);
    const experiment = await experiments.getExperiment(call.database.db, call.account.scope, { id });
    return created(await showExperiment(call, experiment), experiment.version);
  },

  async listExperiments(call) {
    const { scandate, subject_id, state, ...page } = call.query;
    const filter = await readFilter(call, { scandate, subject_id, state });
    const list = await experiments.listExperiments(call.database, call.account.scope, filter, page);
    return listAnswer('experiments', list, (row) => call.links.ref('experiments', row));
  },

  async getExperiment(call) {
    const experiment = await experiments.getExperiment(call.database.db, call.account.scope, call.params);
    return ok(await showExperiment(call, experiment), experiment.version);
  },

  addExperimentExternalIds: externalIds.add,
  getExperimentExternalIds: externalIds.get,
  setExperimentExternalId: externalIds.set,
  deleteExperimentExternalId: externalIds.delete,

  async getExperimentState({ database, account, params, links }) {
    const experiment = await experiments.getExperiment(database.db, account.scope, params);
    const { state_id: id, state_label: label, version } = experiment;
    return ok({ state: links.ref('states', { id, label }) }, version);
  },

  async setExperimentState(call) {
    const { state_label: stateLabel, freetext = '', expected_state: expectedState } = call.body;
    const request = { experimentId: call.params.id, stateLabel, freetext, expectedState };
    return showStateChange(call, await changeState(engineContext(call), request));
  },
};

export const engineContext = ({
  database,
  account,
  author,
  models,
  wake,
  holdVersion,
  afterCommit,
}: Pick<
  Call,
  'database' | 'account' | 'author' | 'models' | 'wake' | 'holdVersion' | 'afterCommit'
>): EngineContext => ({
  db: database.db,
  scope: account.scope,
  author,
  models,
  holdVersion,
  wake: (queues) => afterCommit(() => wake(queues)),
});

interface Filters {
  scandate: string | undefined;
  subject_id: string | undefined;
  state: string | undefined;
}

/** Returns no ids for a value that refers to no object, so that the filter matches nothing. */
const idsOf = async (text: string, collection: string, find: (label: string) => Promise<number[]>) => {
  const reference = readReference(text, collection);
  if (!reference) return [];
  return 'id' in reference ? [reference.id].filter(Number.isSafeInteger) : find(reference.label);
};

async function readFilter(
  { database, account }: Pick<Call, 'database' | 'account'>,
  filters: Filters,
): Promise<experiments.ExperimentFilter> {
  const { scandate, subject_id: subject, state } = filters;
  return {
    ...(subject !== undefined && {
      subjectIds: await idsOf(subject, 'subjects', (label) => findSubjectIds(database.db, account.scope, label)),
    }),
    ...(state !== undefined && { stateIds: await idsOf(state, 'states', (label) => findStateIds(database.db, label)) }),
    ...(scandate !== undefined && {
      scandate: {
        from: readScandate(scandate),
        span: scandate.length > 10 ? ('1 millisecond' as const) : ('1 day' as const),
      },
    }),
  };
}

export function showExperiment(
  { database, links, fields }: Call,
  row: experiments.ExperimentRow,
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
    external_ids: () => readExternalValues(database.db, experimentIds, row.id),
    variable_map: () => experiments.readVariables(database.db, row.id),
  });
}
