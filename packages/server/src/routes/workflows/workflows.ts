/** States, transitions and workflows (specification, section 4, States, transitions, workflows). */
import type { State, workflowOperations } from '@milepost/api';
import type { Static } from 'typebox';
import type { Db } from '../../database/connection.ts';
import { mapRows } from '../../database/rows.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { present } from '../../http/field-mask.ts';
import { listExperiments } from '../../store/experiments/experiments.ts';
import type { StateLookRow } from '../../store/workflows/state-look.ts';
import * as workflows from '../../store/workflows/workflows.ts';
import { listAnswer } from '../lists.ts';
import { getByLabel } from '../references/get-by-label.ts';

export const workflowHandlers: Handlers<typeof workflowOperations> = {
  async listStates({ database, query, links }) {
    return listAnswer('states', await workflows.listStates(database, {}, query), (row) => links.ref('states', row));
  },

  async getState(call) {
    const state = await workflows.getState(call.database.db, call.params);
    return ok(await showState(call, state), state.version);
  },

  async listStateExperiments({ database, account, params, query, links }) {
    const { id } = await workflows.getState(database.db, params);
    const list = await listExperiments(database, account.scope, { stateIds: [id] }, query);
    return listAnswer('experiments', list, (row) => links.ref('experiments', row));
  },

  async listTransitions({ database, query, links }) {
    const list = await workflows.listTransitions(database, query);
    return listAnswer('transitions', list, ({ id }) => ({ id, uri: links.uri('transitions', id) }));
  },

  async getTransition({ database, params, links }) {
    const row = await workflows.getTransition(database.db, params.id);
    const transition = {
      id: row.id,
      uri: links.uri('transitions', row.id),
      condition: row.condition,
      title: row.title,
      source_state: links.ref('states', { id: row.source_state_id, label: row.source_state_label }),
      destination_state: links.ref('states', { id: row.destination_state_id, label: row.destination_state_label }),
    };
    return ok(transition, row.version);
  },

  async listWorkflows({ database, query, links }) {
    return listAnswer('workflows', await workflows.listWorkflows(database, query), (row) =>
      links.ref('workflows', row),
    );
  },

  async getWorkflowByLabel({ database, params, links }) {
    const workflow = await getLabelledWorkflow(database.db, params.label);
    return ok(links.ref('workflows', workflow), workflow.version);
  },

  async getWorkflow({ database, params, links }) {
    const workflow = await workflows.getWorkflow(database.db, params);
    return ok(links.ref('workflows', workflow), workflow.version);
  },

  async listWorkflowStates({ database, params, query, links }) {
    const { id } = await getLabelledWorkflow(database.db, params.workflow_label);
    const list = await workflows.listStates(database, { workflowId: id }, query);
    return listAnswer('states', list, (row) => links.ref('states', row));
  },

  async getWorkflowState(call) {
    const { database, params } = call;
    const { id: workflowId } = await getLabelledWorkflow(database.db, params.workflow_label);
    const state = await getByLabel(
      params.state_label,
      (key) => workflows.findState(database.db, { ...key, workflowId }),
      (key) => workflows.describeState({ ...key, workflowId }),
    );
    return ok(await showState(call, state), state.version);
  },
};

export const getLabelledWorkflow = (db: Db, label: string) =>
  getByLabel(label, (key) => workflows.findWorkflow(db, key), workflows.describeWorkflow);

/** A state without a title is shown under its label. */
export const showLook = ({ label, title, colour, outcome, decision }: StateLookRow & { label: string }) => ({
  title: title ?? label,
  colour,
  outcome,
  decision,
});

function showState({ database, account, links, fields }: Call, row: workflows.StateRow): Promise<Static<typeof State>> {
  return present(fields, {
    id: row.id,
    uri: links.uri('states', row.id),
    label: row.label,
    freetext: row.freetext,
    ...showLook(row),
    workflow: links.ref('workflows', { id: row.workflow_id, label: row.workflow_label }),
    experiments: async () => {
      const { rows } = await listExperiments(database, account.scope, { stateIds: [row.id] }, {});
      return mapRows(rows, (experiment) => links.ref('experiments', experiment));
    },
    callbacks: async () => {
      const ids = await workflows.readCallbackIds(database.db, row.id);
      return ids.map((id) => links.uri('callbacks', id));
    },
  });
}
