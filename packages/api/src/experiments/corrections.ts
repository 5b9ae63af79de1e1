/** Beyond the specification: the possible transitions of an experiment, and corrections by users. */
import { Type } from 'typebox';
import { Experiment, experimentExample } from './experiments.ts';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import { OpenExecution, TransitionExplanation } from './state-change.ts';
import * as v from '../values.ts';

const ExperimentTransitions = v.resource('ExperimentTransitions', 'The transitions out of the current state.', {
  state: v.Ref,
  transitions: Type.Array(TransitionExplanation),
  open_executions: Type.Array(OpenExecution),
});

export const VariableName = { ...v.Label, description: 'The name of the variable.' };

export const correctionOperations = defineOperations({
  getExperimentTransitions: {
    method: 'GET',
    path: '/experiments/{id}/transitions',
    summary: 'List the possible transitions of an experiment',
    description:
      'Lists the transitions out of the current state. Each one shows whether you can take it now and, if not, the reason. ' +
      'A condition is shown with the value of each of its parts. Also lists the open callback executions.',
    access: signedIn,
    params: v.ById,
    response: ExperimentTransitions,
    statuses: { 200: 'The transitions, in the order of the definition.', 404: 'No experiment has this id.' },
    example: {
      response: {
        state: { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
        transitions: [
          {
            id: 6,
            uri: '/api/v2/transitions/6',
            destination_state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
            title: 'Process',
            destination_title: 'Processed',
            by: 'both',
            allowed: false,
            condition: "experiment.variables['usable'] == true",
            condition_parts: [{ text: "experiment.variables['usable']", value: null, error: null }],
            missing_permission: null,
            reason: "experiment.variables['usable'] is null.",
          },
        ],
        open_executions: [],
      },
    },
  },
  updateExperiment: {
    method: 'PUT',
    path: '/experiments/{id}',
    summary: 'Change an experiment',
    description:
      'Absent fields keep their values. Null clears `scandate`. `subject_id` assigns the experiment to another ' +
      'subject and its cohort. To change the state, use the operations for moves and corrections.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.ById,
    body: v.closed({
      label: v.optional(v.Label),
      scandate: v.clearable(v.ScandateInput),
      subject_id: v.optional(v.Id),
      ...v.readOnly('id', 'uri', 'api_uri', 'web_uri', 'state', 'subject', 'external_ids', 'variable_map'),
    }),
    response: Experiment,
    statuses: {
      200: 'The experiment.',
      404: 'No experiment has this id, or no subject has the id in `subject_id`.',
      409: 'Another experiment of the subject has this label, or one of the subjects has withdrawn.',
    },
    example: { body: { scandate: '2026-02-17T10:30:00' }, response: experimentExample },
  },
  setExperimentVariable: {
    method: 'PUT',
    path: '/experiments/{id}/variables/{name}',
    summary: 'Set a variable of an experiment',
    description: 'Sets the variable to any JSON value. Conditions use the new value, but the experiment does not move.',
    access: needs('sample_update'),
    version: 'checked',
    params: v.closed({ id: v.Id, name: VariableName }),
    body: v.closed({
      value: Type.Unknown({ description: 'Any JSON value.' }),
      reason: v.optional({ ...v.LongText, description: 'The reason for the change.' }),
    }),
    response: Experiment,
    statuses: { 200: 'The experiment.', 404: 'No experiment has this id.', 409: 'The subject was erased.' },
    example: { body: { value: true, reason: 'Checked by hand' }, response: experimentExample },
  },
  placeExperiment: {
    method: 'POST',
    path: '/experiments/{id}/place',
    summary: 'Correct the state of an experiment',
    description:
      'Sets the experiment to any state of its workflow, regardless of the transitions. The timeline shows it as a ' +
      'correction. Unless you set `run_callbacks`, the action ends at once with `Corrected without callbacks`, and the ' +
      'experiment does not move automatically.',
    access: needs('state_override'),
    version: 'checked',
    params: v.ById,
    body: v.closed({
      state: { ...v.Label, description: 'The label of a state of the workflow.' },
      reason: Type.String({ minLength: 1, maxLength: 10_000, description: 'The reason for the correction.' }),
      run_callbacks: v.optional(Type.Boolean({ default: false })),
    }),
    response: Experiment,
    statuses: {
      200: 'The experiment in the new state.',
      404: 'No experiment has this id, or no state of its workflow has this label.',
      409: 'The subject has withdrawn.',
    },
    example: { body: { state: 'arrived', reason: 'Imported twice by mistake' }, response: experimentExample },
  },
});
