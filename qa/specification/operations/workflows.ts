/** Section 4, "States, transitions, workflows". */
import { missing, unknownId, type Operation } from '../operation.ts';
import { read } from '../factories.ts';
import type { Study } from '../study.ts';
import { labels } from '../values.ts';

/** The state that the finished execution belongs to. */
async function processed({ send, workflow }: Study): Promise<number> {
  const path = { workflow_label: workflow };
  const { states = [] } = await read(send, 'GET /workflows/{workflow_label}/states', { path });
  return states.find(({ label }) => label === 'processed')?.id ?? 0;
}

const workflowLabels = labels.map((label) => (study: Study) => study.newWorkflow(label()));

export const workflows: Operation[] = [
  {
    operation: 'GET /states',
    response: { states: ['Ref'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /states/{id}',
    response: 'State',
    statuses: [200, 404],
    valid: async (study) => ({ path: { id: await processed(study) } }),
    calls: [missing('state', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /states/{id}/experiments',
    response: { experiments: ['Ref'] },
    statuses: [200, 404],
    valid: async (study) => ({ path: { id: await processed(study) } }),
    calls: [missing('state', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /transitions',
    response: { transitions: ['TransitionSummary'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /transitions/{id}',
    response: 'Transition',
    statuses: [200, 404],
    valid: async ({ send }) => {
      const { transitions = [] } = await read(send, 'GET /transitions');
      return { path: { id: transitions[0]?.id ?? 0 } };
    },
    calls: [missing('transition', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /workflows',
    response: { workflows: ['Ref'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /workflows/by-label/{label}',
    response: 'Ref',
    statuses: [200, 404],
    valid: ({ workflow }) => ({ path: { label: workflow } }),
    values: { label: workflowLabels },
    calls: [missing('workflow', { path: { label: 'Nowhere' } })],
  },
  {
    operation: 'GET /workflows/{id}',
    response: 'Ref',
    statuses: [200, 404],
    valid: async ({ send }) => {
      const { workflows: all = [] } = await read(send, 'GET /workflows');
      return { path: { id: all[0]?.id ?? 0 } };
    },
    calls: [missing('workflow', { path: { id: unknownId } })],
  },
  {
    operation: 'GET /workflows/{workflow_label}/states',
    response: { states: ['Ref'] },
    statuses: [200],
    valid: ({ workflow }) => ({ path: { workflow_label: workflow } }),
    values: { workflow_label: workflowLabels },
    calls: [missing('workflow', { path: { workflow_label: 'Nowhere' } })],
  },
  {
    operation: 'GET /workflows/{workflow_label}/states/{state_label}',
    response: 'State',
    statuses: [200, 404],
    valid: ({ workflow }) => ({ path: { workflow_label: workflow, state_label: 'processed' } }),
    values: { workflow_label: workflowLabels, state_label: ['arrived', 'processed', 'rejected'] },
    shownAs: { workflow_label: 'workflow.label', state_label: 'label' },
    calls: [
      missing('workflow', { path: { workflow_label: 'Nowhere' } }),
      missing('state', { path: { state_label: 'Nowhere' } }),
    ],
  },
];
