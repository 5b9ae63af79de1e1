/** Callback executions (specification, section 4, Callback executions and callbacks). */
import { Type } from 'typebox';
import { Action, actionExample } from '../experiments/actions.ts';
import { Experiment, experimentExample } from '../experiments/experiments.ts';
import { defineOperations } from '../operation.ts';
import { executionSecretOr } from '../permission.ts';
import { Cohort, cohortExample } from '../study/cohorts.ts';
import { Subject, subjectExample } from '../study/subjects.ts';
import * as v from '../values.ts';
import { Callback, callbackExample } from '../workflows/callbacks.ts';
import { Cause } from './causes.ts';
import { executionResults, executionStatuses } from './choices.ts';

const Status = v.oneOf(executionStatuses);
const Result = v.oneOf(executionResults);

export const CallbackExecution = v.resource('CallbackExecution', 'One execution of a callback for one experiment.', {
  id: v.Id,
  uri: v.Uri,
  api_uri: v.ApiUri,
  web_uri: v.WebUri,
  action: Action,
  callback: Callback,
  cohort: Cohort,
  experiment: Experiment,
  subject: Subject,
  external_systems: v.TextBySystem,
  created: v.Time,
  wait_start: v.nullable(v.Time),
  run_start: v.nullable(v.Time),
  finished: v.nullable(v.Time),
  status: Status,
  result: {
    ...Result,
    description:
      'While the execution is open, the result that was reported so far. It counts when the status is `finished`.',
  },
  result_log: Type.String(),
  run_log: Type.String(),
  result_values: v.JsonObject,
  attempt: Type.Integer({ minimum: 0, description: 'The number of the latest attempt. 0 if there is none yet.' }),
  next_attempt_at: v.nullable({ ...v.Time, description: 'When the next attempt starts. Null if none is planned.' }),
  last_error: v.nullable(Type.String({ description: 'The error of the latest failed attempt.' })),
  cause: Cause,
  warnings: Type.Array(v.closed({ message: Type.String() }), {
    description: 'Has a warning if the execution finished without a result. Otherwise empty.',
  }),
});

const Secret = v.guard(
  Type.String({
    maxLength: 1024,
    writeOnly: true,
    description: 'The secret of the execution, instead of other credentials.',
  }),
);

const Report = v.closed({
  status: v.optional(Status),
  result: v.optional(Result),
  result_log: v.clearable(Type.String()),
  wait_log: v.aliasOf('result_log', v.clearable(Type.String())),
  run_log: v.clearable(Type.String()),
  result_values: v.optional({
    ...v.JsonObject,
    description: 'Null keeps the stored values. At most 1 MiB of JSON, unless the operator sets another limit.',
  }),
  secret_key: Secret,
  secret: Secret,
  ...v.readOnly('id', 'uri', 'api_uri', 'web_uri', 'action', 'callback', 'cohort', 'experiment', 'subject'),
  ...v.readOnly('external_systems', 'created', 'wait_start', 'run_start', 'finished'),
  ...v.readOnly('attempt', 'next_attempt_at', 'last_error', 'cause', 'warnings'),
});

const executionExample = {
  id: 914,
  uri: '/api/v2/callback_executions/914',
  api_uri: 'https://milepost.example.org/api/v2/callback_executions/914',
  web_uri: 'https://milepost.example.org/callback_executions/914',
  action: actionExample,
  callback: callbackExample,
  cohort: cohortExample,
  experiment: experimentExample,
  subject: subjectExample,
  external_systems: { XNAT: 'https://xnat.example.org' },
  created: '2026-02-17T11:02:09.120Z',
  wait_start: null,
  run_start: '2026-02-17T11:02:14.300Z',
  finished: '2026-02-17T11:04:31.007Z',
  status: 'finished',
  result: 'success',
  result_log: 'All series are complete',
  run_log: 'POST https://xnat.example.org/check: 200',
  result_values: { status: 200, body: { usable: true } },
  attempt: 1,
  next_attempt_at: null,
  last_error: null,
  cause: null,
  warnings: [],
};

export const executionOperations = defineOperations({
  getCallbackExecution: {
    method: 'GET',
    path: '/callback_executions/{id}',
    summary: 'Read a callback execution',
    description:
      'Includes everything that a program needs to run the callback. With the secret of the execution as a bearer token, ' +
      'the lists contain only objects that belong to this execution.',
    access: executionSecretOr(),
    version: 'shown',
    params: v.ById,
    response: CallbackExecution,
    statuses: { 200: 'The callback execution.', 404: 'No callback execution has this id.' },
    example: { response: executionExample },
  },
  updateCallbackExecution: {
    method: 'PUT',
    path: '/callback_executions/{id}',
    summary: 'Report on a callback execution',
    description:
      'The status can only move forward: created, queued, running, waiting, then finished or skipped. A `result` can come ' +
      'before `finished` or with it. An earlier result is shown, but conditions read `none` until the execution is ' +
      'finished. A later result replaces it, and a new attempt clears it. When all executions of an action are resolved, ' +
      'the experiment can move in the same transaction. The response then shows its new state. ' +
      'On a finished or skipped execution, `run_log` and `result_log` are appended to the stored logs. ' +
      'Send the secret as a bearer token or as `secret_key`. `secret` is another name for `secret_key`.',
    access: executionSecretOr('action_update'),
    version: 'checked',
    params: v.ById,
    body: Report,
    response: CallbackExecution,
    statuses: {
      200: 'The callback execution. A report with only stored values changes nothing.',
      404: 'No callback execution has this id.',
      409:
        'The report would change a resolved execution, the status would move backwards, or a newer attempt has replaced ' +
        'this one.',
      413: 'The body or `result_values` is too large. The report changes nothing, and the attempt stays open.',
    },
    example: {
      body: { status: 'finished', result: 'success', result_values: { status: 200, body: { usable: true } } },
      response: executionExample,
    },
  },
});
