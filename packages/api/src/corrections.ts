/** What the specification lacks for experiments: which moves are possible and why not, and corrections by people. */
import { Type } from 'typebox';
import { Experiment, experimentExample } from './experiments.ts';
import { defineOperations } from './operation.ts';
import { needs, signedIn } from './permission.ts';
import { OpenExecution, TransitionExplanation } from './state-change.ts';
import * as v from './values.ts';

const Possibilities = v.resource('ExperimentTransitions', 'Each way out of the current state of an experiment.', {
  state: v.Ref,
  transitions: Type.Array(TransitionExplanation),
  open_executions: Type.Array(OpenExecution),
});

const VariableName = { ...v.Label, description: 'The name of the variable.' };

export const correctionOperations = defineOperations({
  getExperimentTransitions: {
    method: 'GET',
    path: '/experiments/{id}/transitions',
    summary: 'List the ways out of the current state of an experiment',
    description:
      'Each transition of the definition with whether you could take it now and, if not, why not: the condition, the ' +
      'value of each part of it, a missing permission. Also which callback executions are still open, and since when.',
    access: signedIn,
    params: v.ById,
    response: Possibilities,
    statuses: { 200: 'The transitions, in definition order.', 404: 'No experiment has this id.' },
    example: {
      response: {
        state: { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
        transitions: [
          {
            id: 6,
            uri: '/api/v2/transitions/6',
            destination_state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
            by: 'both',
            allowed: false,
            condition: "experiment.variables['usable'] == true",
            condition_parts: [{ text: "experiment.variables['usable']", value: null }],
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
    summary: 'Correct an experiment',
    description:
      'Absent fields stay as they are; a scandate of null is cleared. `subject_id` gives the experiment to another ' +
      'subject, and thereby to its cohort. The state is changed by its own operations.',
    access: needs('sample_update'),
    version: 'held',
    params: v.ById,
    body: v.closed({
      label: Type.Optional(v.Label),
      scandate: Type.Optional(v.nullable(v.ScandateInput)),
      subject_id: Type.Optional(v.Id),
      ...v.readOnly('id', 'uri', 'api_uri', 'web_uri', 'state', 'subject', 'external_ids', 'variable_map'),
    }),
    response: Experiment,
    statuses: {
      200: 'The experiment.',
      404: 'No experiment has this id, or no subject has that one.',
      409: 'Another experiment of the subject has this label, or one of the subjects has withdrawn.',
    },
    example: { body: { scandate: '2026-02-17T10:30:00' }, response: experimentExample },
  },
  setExperimentVariable: {
    method: 'PUT',
    path: '/experiments/{id}/variables/{name}',
    summary: 'Correct a variable of an experiment',
    description: 'Sets the variable to any JSON value. Nothing moves by it; conditions see it from now on.',
    access: needs('sample_update'),
    version: 'held',
    params: v.closed({ id: v.Id, name: VariableName }),
    body: v.closed({
      value: Type.Unknown({ description: 'Any JSON value.' }),
      reason: Type.Optional({ ...v.LongText, description: 'Why it is corrected.' }),
    }),
    response: Experiment,
    statuses: { 200: 'The experiment.', 404: 'No experiment has this id.', 409: 'Its subject was erased.' },
    example: { body: { value: true, reason: 'Looked at by hand' }, response: experimentExample },
  },
  placeExperiment: {
    method: 'POST',
    path: '/experiments/{id}/place',
    summary: 'Place an experiment in a state, whatever its transitions say',
    description:
      'A correction, shown as one. Without `run_callbacks` the action ends at once with `Placed without callbacks`, and ' +
      'nothing moves by itself.',
    access: needs('state_override'),
    version: 'held',
    params: v.ById,
    body: v.closed({
      state: { ...v.Label, description: 'The label of a state of the same workflow.' },
      reason: Type.String({ minLength: 1, maxLength: 10_000, description: 'Why it is placed there.' }),
      run_callbacks: Type.Optional(Type.Boolean({ default: false })),
    }),
    response: Experiment,
    statuses: {
      200: 'The experiment, in that state.',
      404: 'No experiment has this id, or its workflow no such state.',
      409: 'Its subject has withdrawn.',
    },
    example: { body: { state: 'arrived', reason: 'Imported twice by mistake' }, response: experimentExample },
  },
});
