/** States, transitions and workflows (specification, section 4, States, transitions, workflows). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { stateLook, Title } from './decisions.ts';

export const State = v.resource('State', 'A state of a workflow.', {
  id: v.Id,
  uri: v.Uri,
  label: v.Label,
  freetext: v.LongText,
  ...stateLook,
  workflow: v.Ref,
  experiments: Type.Array(v.Ref),
  callbacks: Type.Array(Type.String({ description: 'The URI of a callback.' })),
});

export const Transition = v.resource('Transition', 'A connection from one state of a workflow to another.', {
  id: v.Id,
  uri: v.Uri,
  condition: Type.String({
    description: 'The transition can be taken if this condition is met. Empty if it can always be taken.',
  }),
  title: v.nullable({ ...Title, description: 'The text of the button that takes the transition.' }),
  source_state: v.Ref,
  destination_state: v.Ref,
});

const ByWorkflow = v.closed({ workflow_label: v.LabelInPath });
const ByWorkflowAndState = v.closed({ workflow_label: v.LabelInPath, state_label: v.LabelInPath });

export const workflowExample = { id: 1, label: 'brain_mri', uri: '/api/v2/workflows/1' };
const stateRef = { id: 3, label: 'arrived', uri: '/api/v2/states/3' };
const experimentRef = { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' };
const stateExample = {
  id: 3,
  uri: '/api/v2/states/3',
  label: 'arrived',
  freetext: 'Scans are in the archive',
  title: 'Arrived',
  colour: null,
  outcome: null,
  decision: null,
  workflow: workflowExample,
  experiments: [experimentRef],
  callbacks: ['/api/v2/callbacks/12'],
};
const transitionExample = {
  id: 6,
  uri: '/api/v2/transitions/6',
  condition: "callbacks['check_protocol'].result == 'success'",
  title: null,
  source_state: stateRef,
  destination_state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
};

export const workflowOperations = defineOperations({
  listStates: {
    method: 'GET',
    path: '/states',
    summary: 'List states',
    description: 'The states of all workflows, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('states', v.Ref),
    statuses: { 200: 'The states.' },
    example: { response: { states: [stateRef] } },
  },
  getState: {
    method: 'GET',
    path: '/states/{id}',
    summary: 'Read a state',
    description:
      '`experiments` lists every experiment and is streamed. If you do not need it, leave it out with `X-Fields`.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: State,
    statuses: { 200: 'The state.', 404: 'No state has this id.' },
    example: { response: stateExample },
  },
  listStateExperiments: {
    method: 'GET',
    path: '/states/{id}/experiments',
    summary: 'List the experiments in a state',
    description: 'The experiments that are currently in the state, ordered by id.',
    access: signedIn,
    params: v.ById,
    query: v.Page,
    response: v.listOf('experiments', v.Ref),
    statuses: { 200: 'The experiments.', 404: 'No state has this id.' },
    example: { response: { experiments: [experimentRef] } },
  },
  listTransitions: {
    method: 'GET',
    path: '/transitions',
    summary: 'List transitions',
    description: 'The transitions of all workflows, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('transitions', v.IdAndUri),
    statuses: { 200: 'The transitions.' },
    example: { response: { transitions: [{ id: 6, uri: '/api/v2/transitions/6' }] } },
  },
  getTransition: {
    method: 'GET',
    path: '/transitions/{id}',
    summary: 'Read a transition',
    description: 'Includes its two states and its condition.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Transition,
    statuses: { 200: 'The transition.', 404: 'No transition has this id.' },
    example: { response: transitionExample },
  },
  listWorkflows: {
    method: 'GET',
    path: '/workflows',
    summary: 'List workflows',
    description: 'All workflows, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('workflows', v.Ref),
    statuses: { 200: 'The workflows.' },
    example: { response: { workflows: [workflowExample] } },
  },
  getWorkflowByLabel: {
    method: 'GET',
    path: '/workflows/by-label/{label}',
    summary: 'Read a workflow by label',
    description: 'Returns the same response as reading the workflow by id. Write a slash in the label as `%2F`.',
    access: signedIn,
    version: 'shown',
    params: v.ByLabel,
    response: v.Ref,
    statuses: { 200: 'The workflow.', 404: 'No workflow has this label.' },
    example: { response: workflowExample },
  },
  getWorkflow: {
    method: 'GET',
    path: '/workflows/{id}',
    summary: 'Read a workflow',
    description: 'Returns its label. `GET /workflows/{workflow_label}/states` lists its states.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: v.Ref,
    statuses: { 200: 'The workflow.', 404: 'No workflow has this id.' },
    example: { response: workflowExample },
  },
  listWorkflowStates: {
    method: 'GET',
    path: '/workflows/{workflow_label}/states',
    summary: 'List the states of a workflow',
    description: 'The states of one workflow, ordered by id. Write a slash in the label as `%2F`.',
    access: signedIn,
    params: ByWorkflow,
    query: v.Page,
    response: v.listOf('states', v.Ref),
    statuses: { 200: 'The states.', 404: 'No workflow has this label.' },
    example: { response: { states: [stateRef] } },
  },
  getWorkflowState: {
    method: 'GET',
    path: '/workflows/{workflow_label}/states/{state_label}',
    summary: 'Read a state by label',
    description: 'Returns the same response as reading the state by id.',
    access: signedIn,
    version: 'shown',
    params: ByWorkflowAndState,
    response: State,
    statuses: { 200: 'The state.', 404: 'The workflow or the state does not exist.' },
    example: { response: stateExample },
  },
});
