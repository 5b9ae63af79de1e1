/** What the specification lacks for runs that failed: running callbacks again, and trying the transitions again. */
import { Type } from 'typebox';
import { Action, actionExample } from './actions.ts';
import { defineOperations } from './operation.ts';
import { needs } from './permission.ts';
import * as v from './values.ts';

const Reason = v.closed({ reason: Type.Optional({ ...v.LongText, description: 'Why. The action keeps it.' }) });

const retryExample = {
  ...actionExample,
  id: 531,
  uri: '/api/v2/actions/531',
  api_uri: 'https://milepost.example.org/api/v2/actions/531',
  web_uri: 'https://milepost.example.org/actions/531',
  end_time: null,
  return_value: '',
  success: false,
  freetext: 'The archive was down',
  executions: [{ id: 915, uri: '/api/v2/callback_executions/915' }],
  retry_of: { id: 530, uri: '/api/v2/actions/530' },
};

export const retryOperations = defineOperations({
  retryCallbackExecution: {
    method: 'POST',
    path: '/callback_executions/{id}/retry',
    summary: 'Run the callback of an execution again',
    description:
      'A new action in the same state with a new execution, which runs the callback as it is defined now. The outcomes ' +
      'of the other callbacks carry over. The execution itself stays as it ended: nothing that is resolved is reopened.',
    access: needs('sample_state_update'),
    params: v.ById,
    body: Reason,
    response: Action,
    statuses: {
      200: 'The new action.',
      404: 'No callback execution has this id.',
      409: 'Executions are still open, a later action has replaced this one, or the callback is no longer part of its workflow.',
    },
    example: { body: { reason: 'The archive was down' }, response: retryExample },
  },
  retryExperiment: {
    method: 'POST',
    path: '/experiments/{id}/retry',
    summary: 'Run again what did not succeed in the state of an experiment',
    description:
      'A new action in the same state with a new execution of each callback that neither succeeded nor was skipped. The ' +
      'outcomes of the others carry over.',
    access: needs('sample_state_update'),
    params: v.ById,
    body: Reason,
    response: Action,
    statuses: {
      200: 'The new action.',
      404: 'No experiment has this id.',
      409: 'Executions are still open, nothing failed, or a callback that did is no longer part of the workflow.',
    },
    example: { body: { reason: 'The archive was down' }, response: retryExample },
  },
  evaluateExperiment: {
    method: 'POST',
    path: '/experiments/{id}/evaluate',
    summary: 'Try the transitions of the state of an experiment again',
    description:
      'For an experiment that stayed because no condition held: the first transition whose condition holds now is taken. ' +
      'No callback of the current state runs again; those of the next state do. What was tried is written to the action.',
    access: needs('sample_state_update'),
    params: v.ById,
    body: Reason,
    response: v.closed({
      moved: Type.Boolean({ description: 'Whether a transition was taken.' }),
      state: v.Ref,
      action: Action,
    }),
    statuses: {
      200: 'Where the experiment is now, with its latest action.',
      404: 'No experiment has this id.',
      409: 'Executions of the latest action are still open.',
    },
    example: {
      body: { reason: 'The variable was corrected' },
      response: {
        moved: true,
        state: { id: 4, label: 'processed', uri: '/api/v2/states/4' },
        action: actionExample,
      },
    },
  },
});
