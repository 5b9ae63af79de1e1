/** Actions (specification, section 4, Actions). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

const ReturnValue = Type.String({
  description: 'How the action ended: JSON text with each transition that was checked, or a sentence.',
});

export const Action = v.resource('Action', 'The record of an experiment entering a state.', {
  id: v.Id,
  uri: v.Uri,
  api_uri: v.ApiUri,
  web_uri: v.WebUri,
  start_time: v.Time,
  end_time: v.nullable(v.Time),
  return_value: ReturnValue,
  success: Type.Boolean({ description: 'False until the action ends.' }),
  freetext: v.LongText,
  experiment: v.Ref,
  transition: v.IdAndUri,
  executions: Type.Array(v.IdAndUri),
  retry_of: v.nullable({ ...v.IdAndUri, description: 'The action whose callbacks this action retries.' }),
});

export const ActionSummary = v.resource('ActionSummary', 'An action, as shown in lists.', {
  id: v.Id,
  return_value: ReturnValue,
  success: Type.Boolean(),
  uri: v.Uri,
});

export const actionExample = {
  id: 530,
  uri: '/api/v2/actions/530',
  api_uri: 'https://milepost.example.org/api/v2/actions/530',
  web_uri: 'https://milepost.example.org/actions/530',
  start_time: '2026-02-17T11:02:09.120Z',
  end_time: '2026-02-17T11:04:31.007Z',
  return_value: 'No callback for state',
  success: true,
  freetext: 'Checked by hand',
  experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
  transition: { id: 6, uri: '/api/v2/transitions/6' },
  executions: [{ id: 914, uri: '/api/v2/callback_executions/914' }],
  retry_of: null,
};

const summaryExample = {
  id: 530,
  return_value: 'No callback for state',
  success: true,
  uri: '/api/v2/actions/530',
};

export const actionOperations = defineOperations({
  listActions: {
    method: 'GET',
    path: '/actions',
    summary: 'List actions',
    description: 'The actions of all experiments, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('actions', ActionSummary),
    statuses: { 200: 'The actions.' },
    example: { response: { actions: [summaryExample] } },
  },
  getAction: {
    method: 'GET',
    path: '/actions/{id}',
    summary: 'Read an action',
    description: 'Includes the transition that was taken and the callback executions that the action started.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Action,
    statuses: { 200: 'The action.', 404: 'No action has this id.' },
    example: { response: actionExample },
  },
  updateAction: {
    method: 'PUT',
    path: '/actions/{id}',
    summary: 'Change an action',
    description:
      'Changes the stored values and records the change. It does not end the action or move the experiment. If the action ' +
      'is still open, the values are overwritten when it ends. `end_time` cannot be before `start_time`.',
    access: needs('action_update'),
    version: 'checked',
    params: v.ById,
    body: v.closed({
      end_time: v.clearable(v.TimeInput),
      return_value: v.clearable(ReturnValue),
      success: v.optional(Type.Boolean()),
      ...v.readOnly('id', 'uri', 'api_uri', 'web_uri', 'start_time'),
      ...v.readOnly('freetext', 'experiment', 'transition', 'executions', 'retry_of'),
    }),
    response: Action,
    statuses: { 200: 'The action.', 404: 'No action has this id.', 409: 'The subject was erased.' },
    example: { body: { success: true, return_value: 'Repeated by hand' }, response: actionExample },
  },
  listExperimentActions: {
    method: 'GET',
    path: '/experiments/{id}/actions',
    summary: 'List the actions of an experiment',
    description: 'The actions of one experiment, ordered by id.',
    access: signedIn,
    params: v.ById,
    query: v.Page,
    response: v.listOf('actions', ActionSummary),
    statuses: { 200: 'The actions.', 404: 'No experiment has this id.' },
    example: { response: { actions: [summaryExample] } },
  },
});
