import type { workflowDefinitionOperations, workflowOperations } from '@milepost/api';
import { found, invalid, missing, missingParts, noSuchId, unknownParameter, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { Workflow, World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.workflow()).id });
const byLabel = async (world: World) => ({ label: (await world.workflow()).label });
const byWorkflow = async (world: World) => ({ workflow_label: (await world.workflow()).label });
const byLabels = async (world: World) => ({ ...(await byWorkflow(world)), state_label: 'checked' });
const byState = async (world: World) => ({ id: stateIn(await world.workflow(), 'arrived') });
const stateIn = ({ states }: Workflow, label: string) => states[label] ?? 0;
const stateRef = (workflow: Workflow, label: string) => ({
  id: stateIn(workflow, label),
  label,
  uri: `/api/v2/states/${stateIn(workflow, label)}`,
});
const workflowRef = ({ id, label }: Workflow) => ({ id, label, uri: `/api/v2/workflows/${id}` });

/** The transition from `arrived` to `checked`. */
async function transition(world: World) {
  const workflow = await world.workflow();
  const [row] = await world.sql<{ id: string }>(
    `select id from transitions where workflow_id = $1 and kind = 'defined' order by position`,
    [workflow.id],
  );
  return { id: Number(row?.id), workflow };
}
const byTransition = async (world: World) => ({ id: (await transition(world)).id });

export const workflowCases: SectionCases<typeof workflowOperations> = {
  listStates: {
    success: {
      'returns a page with one state': async (world) => {
        const workflow = await world.workflow();
        const first = Math.min(...Object.values(workflow.states));
        return found({ query: { after: first - 1, limit: 1 } }, { states: [{ id: first }] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getState: {
    success: {
      'returns a state with its experiments': async (world) => {
        const { id, label, workflow } = await world.experiment();
        const body = {
          ...stateRef(workflow, 'arrived'),
          freetext: 'Scans are in the archive',
          workflow: workflowRef(workflow),
          experiments: [{ id, label, uri: `/api/v2/experiments/${id}` }],
          callbacks: [],
        };
        return found({ params: { id: stateIn(workflow, 'arrived') } }, body);
      },
    },
    validation: unknownParameter(byState),
    'missing reference': missingParts(byState, { id: noSuchId }),
    conflict: readsOnly,
  },
  listStateExperiments: {
    success: {
      'returns the experiments of a state': async (world) => {
        const { id, label, workflow } = await world.experiment();
        const experiments = [{ id, label, uri: `/api/v2/experiments/${id}` }];
        return found({ params: { id: stateIn(workflow, 'arrived') } }, { experiments });
      },
    },
    validation: invalidPaging(byState),
    'missing reference': missingParts(byState, { id: noSuchId }),
    conflict: readsOnly,
  },
  listTransitions: {
    success: {
      'returns a page with one transition': async (world) => {
        const { id } = await transition(world);
        return found(
          { query: { after: id - 1, limit: 1 } },
          { transitions: [{ id, uri: `/api/v2/transitions/${id}` }] },
        );
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getTransition: {
    success: {
      'returns a transition with its states': async (world) => {
        const { id, workflow } = await transition(world);
        const body = {
          id,
          condition: '',
          source_state: stateRef(workflow, 'arrived'),
          destination_state: stateRef(workflow, 'checked'),
        };
        return found({ params: { id } }, body);
      },
    },
    validation: unknownParameter(byTransition),
    'missing reference': missingParts(byTransition, { id: noSuchId }),
    conflict: readsOnly,
  },
  listWorkflows: {
    success: {
      'returns a page with one workflow': async (world) => {
        const workflow = await world.workflow();
        return found({ query: { after: workflow.id - 1, limit: 1 } }, { workflows: [workflowRef(workflow)] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getWorkflowByLabel: {
    success: {
      'returns the workflow with this label': async (world) => {
        const workflow = await world.workflow();
        return found({ params: { label: workflow.label } }, workflowRef(workflow));
      },
    },
    validation: unknownParameter(byLabel),
    'missing reference': missingParts(byLabel, { label: 'unknown' }),
    conflict: readsOnly,
  },
  getWorkflow: {
    success: {
      'returns a workflow': async (world) => {
        const workflow = await world.workflow();
        return found({ params: { id: workflow.id } }, workflowRef(workflow));
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  listWorkflowStates: {
    success: {
      'returns all states of a workflow': async (world) => {
        const workflow = await world.workflow();
        const states = ['arrived', 'checked', 'rejected'].map((label) => stateRef(workflow, label));
        return found({ params: { workflow_label: workflow.label } }, { states });
      },
    },
    validation: invalidPaging(byWorkflow),
    'missing reference': missingParts(byWorkflow, { workflow_label: 'unknown' }),
    conflict: readsOnly,
  },
  getWorkflowState: {
    success: {
      'returns a state with its callbacks': async (world) => {
        const workflow = await world.workflow();
        const [row] = await world.sql<{ id: string }>('select id from callbacks where state_id = $1', [
          stateIn(workflow, 'checked'),
        ]);
        const body = { ...stateRef(workflow, 'checked'), experiments: [], callbacks: [`/api/v2/callbacks/${row?.id}`] };
        return found({ params: { workflow_label: workflow.label, state_label: 'checked' } }, body);
      },
    },
    validation: unknownParameter(byLabels),
    'missing reference': missingParts(byLabels, { workflow_label: 'unknown', state_label: 'unknown' }),
    conflict: readsOnly,
  },
};

export const workflowDefinitionCases: SectionCases<typeof workflowDefinitionOperations> = {
  getWorkflowDefinition: {
    success: {
      'returns the imported file': async (world) => {
        const workflow = await world.workflow();
        const [row] = await world.sql<{ definition: string; hash: string }>(
          'select definition, definition_hash as hash from workflow_revisions where workflow_id = $1',
          [workflow.id],
        );
        return found(
          { params: { workflow_label: workflow.label } },
          { workflow: workflowRef(workflow), revision: 1, ...row, size: Buffer.byteLength(row?.definition ?? '') },
        );
      },
    },
    validation: {
      'rejects a revision that is not a number': async (world) =>
        invalid({ params: await byWorkflow(world), query: { revision: 'last' } }, '?revision'),
    },
    'missing reference': {
      ...missingParts(byWorkflow, { workflow_label: 'unknown' }),
      'returns 404 for an unknown revision': async (world) =>
        missing({ params: await byWorkflow(world), query: { revision: 2 } }),
    },
    conflict: readsOnly,
  },
  listWorkflowRevisions: {
    success: {
      'returns the first revision': async (world) =>
        found({ params: await byWorkflow(world) }, { revisions: [{ revision: 1, author: { id: 1 } }] }),
    },
    validation: invalidPaging(byWorkflow),
    'missing reference': missingParts(byWorkflow, { workflow_label: 'unknown' }),
    conflict: readsOnly,
  },
};
