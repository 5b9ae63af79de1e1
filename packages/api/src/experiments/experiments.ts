/** Experiments and their state (specification, section 4, Experiments, and section 3). */
import { Type } from 'typebox';
import { externalIdsOf } from '../study/external-ids.ts';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import { StateChangeResult } from './state-change.ts';
import * as v from '../values.ts';

export const Experiment = v.resource(
  'Experiment',
  'One session of a subject, such as an MRI session, that moves through a workflow.',
  {
    id: v.Id,
    uri: v.Uri,
    api_uri: v.ApiUri,
    web_uri: v.WebUri,
    label: v.Label,
    scandate: v.nullable(v.Scandate),
    state: v.Ref,
    subject: v.Ref,
    external_ids: v.TextBySystem,
    variable_map: v.JsonObject,
  },
);

export const ExperimentExternalIds = v.resource('ExperimentExternalIds', 'The external IDs of an experiment.', {
  experiment_id: v.Id,
  experiment_label: v.Label,
  external_ids: v.TextBySystem,
});

const arrived = { id: 3, label: 'arrived', uri: '/api/v2/states/3' };
const processed = { id: 4, label: 'processed', uri: '/api/v2/states/4' };

export const experimentExample = {
  id: 112,
  uri: '/api/v2/experiments/112',
  api_uri: 'https://milepost.example.org/api/v2/experiments/112',
  web_uri: 'https://milepost.example.org/experiments/112',
  label: 'MC-0041-baseline',
  scandate: '2026-02-17T10:30:00',
  state: arrived,
  subject: { id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41' },
  external_ids: { XNAT: 'XNAT_E00112' },
  variable_map: { usable: true },
};

const externalIds = externalIdsOf({
  name: 'experiment',
  response: ExperimentExternalIds,
  example: { experiment_id: 112, experiment_label: 'MC-0041-baseline', external_ids: { XNAT: 'XNAT_E00112' } },
});

const Filters = v.closed({
  scandate: Type.Optional({
    ...v.ScandateInput,
    description: 'Only experiments scanned at this time. A date without a time matches the whole day.',
  }),
  subject_id: Type.Optional(
    Type.String({
      description:
        'Only experiments of this subject: the digits of its id, its label in any cohort, or else its URI. Digits without ' +
        'a leading zero are always an id.',
    }),
  ),
  state: Type.Optional(
    Type.String({
      description:
        'Only experiments in this state: its label in any workflow, or else its URI, or else the digits of its id.',
    }),
  ),
  workflow_label: Type.Optional(Type.String({ description: 'Only experiments of the workflow with this label.' })),
  cohort_label: Type.Optional(
    Type.String({ description: 'Only experiments of subjects in the cohort with this label.' }),
  ),
  label: Type.Optional(Type.String({ description: 'Only experiments with exactly this label, of any subject.' })),
  ...v.page,
});

const NewExperiment = v.closed(
  {
    label: v.Label,
    subject_id: v.optional(v.Id),
    subject_label: v.optional({
      ...v.Label,
      description: 'The label of the subject, with `cohort_label`. If you also send `subject_id`, it must match.',
    }),
    cohort_label: v.optional({
      ...v.Label,
      description: 'The label of the cohort of the subject. If you also send `subject_id`, it must match.',
    }),
    scandate: v.optional(v.ScandateInput),
    workflow_label: v.optional(v.Label),
    workflow: v.aliasOf('workflow_label', v.optional(v.Label)),
  },
  { allOf: [v.eitherOf('subject_id', 'subject_label')] },
);

const Answers = v.mapOf(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
  propertyNames: v.Label,
  description:
    'The answers to the fields of the decision in the current state. They become variables in the same move. Conditions read them.',
});

const StateRequest = v.closed(
  {
    state_label: v.optional(v.Label),
    state: v.aliasOf('state_label', v.optional(v.Label)),
    freetext: v.optional({ ...v.LongText, description: 'A comment that is stored with the action.' }),
    expected_state: v.guard({
      ...v.Label,
      description: 'Reject the move unless the experiment is in the state with this label.',
    }),
    variables: v.optional(Answers),
  },
  { allOf: [v.eitherOf('state_label', 'state')] },
);

export const experimentOperations = defineOperations({
  createExperiment: {
    method: 'POST',
    path: '/experiments',
    summary: 'Create an experiment',
    description:
      'The experiment starts in the initial state of its workflow, and the callbacks of that state run. Without ' +
      '`workflow_label` it uses the newest workflow. The label must be unique for the subject. Name the subject by ' +
      '`subject_id`, or by `subject_label` and `cohort_label`.',
    access: needs('sample_add'),
    version: 'shown',
    body: NewExperiment,
    response: Experiment,
    statuses: {
      201: 'The experiment was created.',
      404: 'The subject, its cohort or the workflow does not exist, or no workflow exists yet.',
      409: 'Another experiment of the subject has this label, or the subject has withdrawn.',
    },
    example: {
      body: { label: 'MC-0041-baseline', subject_id: 41, scandate: '2026-02-17T10:30:00', workflow_label: 'brain_mri' },
      response: { ...experimentExample, external_ids: {}, variable_map: {} },
    },
  },
  listExperiments: {
    method: 'GET',
    path: '/experiments',
    summary: 'List experiments',
    description: 'All experiments that match all filters, ordered by id.',
    access: signedIn,
    query: Filters,
    response: v.listOf('experiments', v.Ref),
    statuses: {
      200: 'The experiments. The list is empty if the subject, state, workflow or cohort does not exist.',
      409: 'The text of a filter is a label and also the id or URI of another object.',
    },
    example: { response: { experiments: [{ id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' }] } },
  },
  getExperiment: {
    method: 'GET',
    path: '/experiments/{id}',
    summary: 'Read an experiment',
    description: 'Includes its state, its external IDs and its variables.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Experiment,
    statuses: { 200: 'The experiment.', 404: 'No experiment has this id.' },
    example: { response: experimentExample },
  },
  addExperimentExternalIds: externalIds.add,
  getExperimentExternalIds: externalIds.get,
  setExperimentExternalId: externalIds.set,
  deleteExperimentExternalId: externalIds.delete,
  getExperimentState: {
    method: 'GET',
    path: '/experiments/{id}/state',
    summary: 'Read the state of an experiment',
    description: 'The current state.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: v.closed({ state: v.Ref }),
    statuses: { 200: 'The state.', 404: 'No experiment has this id.' },
    example: { response: { state: arrived } },
  },
  setExperimentState: {
    method: 'PUT',
    path: '/experiments/{id}/state',
    summary: 'Move an experiment to another state',
    description:
      'Takes a transition from the current state to the requested one, if its condition is met. The move is recorded as an ' +
      'action, and the callbacks of the new state run. A rejected move returns the same fields, with the current state and ' +
      'an `error` that explains each transition. `error` is absent if the move succeeded.',
    access: needs('sample_state_update'),
    version: 'checked',
    params: v.ById,
    body: StateRequest,
    response: StateChangeResult,
    refusals: { 404: StateChangeResult, 409: StateChangeResult },
    statuses: {
      200: 'The experiment is in the requested state.',
      404: 'The workflow has no state with this label, or no experiment has this id.',
      409:
        'No transition leads to the state, its condition is not met, the experiment is not in the expected state, or the ' +
        'subject has withdrawn.',
    },
    example: {
      body: { state_label: 'processed', freetext: 'Checked by hand' },
      response: { success: true, state: processed },
    },
  },
});
