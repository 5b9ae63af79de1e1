/** Retry failed callbacks and re-evaluate transitions, beyond the specification. */
import { Type } from 'typebox';
import { Action, actionExample } from '../experiments/actions.ts';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';

const Reason = v.closed({
  reason: v.optional({ ...v.LongText, description: 'The reason, which is stored with the action.' }),
});

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
    summary: 'Retry a callback execution',
    description:
      'Creates a new action in the same state with a new execution, which uses the current definition of the callback. The ' +
      'results of the other callbacks carry over. The original execution stays unchanged.',
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
    summary: 'Retry an experiment',
    description:
      'Creates a new action in the same state with a new execution of each callback that neither succeeded nor was skipped. ' +
      'The results of the other callbacks carry over.',
    access: needs('sample_state_update'),
    params: v.ById,
    body: Reason,
    response: Action,
    statuses: {
      200: 'The new action.',
      404: 'No experiment has this id.',
      409: 'Executions are still open, nothing failed, or a failed callback is no longer part of the workflow.',
    },
    example: { body: { reason: 'The archive was down' }, response: retryExample },
  },
  evaluateExperiment: {
    method: 'POST',
    path: '/experiments/{id}/evaluate',
    summary: 'Re-evaluate an experiment',
    description:
      'Checks the conditions of the transitions again and takes the first one whose condition is met. Use it for an experiment that ' +
      'stayed in its state because no condition was met. The callbacks of the current state do not run again. The result is ' +
      'stored with the action.',
    access: needs('sample_state_update'),
    params: v.ById,
    body: Reason,
    response: v.closed({
      moved: Type.Boolean({ description: 'Whether a transition was taken.' }),
      state: v.Ref,
      action: Action,
    }),
    statuses: {
      200: 'The current state of the experiment and its latest action.',
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
