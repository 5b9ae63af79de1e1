/** Callbacks and their executions (specification, section 4, Callback executions and callbacks). */
import { Type } from 'typebox';
import { Action, actionExample } from './actions.ts';
import { Cohort, cohortExample } from './cohorts.ts';
import { Experiment, experimentExample } from './experiments.ts';
import { defineOperations } from './operation.ts';
import { executionSecretOr, needs, signedIn } from './permission.ts';
import { Subject, subjectExample } from './subjects.ts';
import * as v from './values.ts';

export const executionStatuses = ['created', 'queued', 'running', 'waiting', 'finished', 'skipped'] as const;
export const executionResults = ['none', 'success', 'failed', 'timeout'] as const;

const Status = v.oneOf(executionStatuses);
const Result = v.oneOf(executionResults);

const Condition = Type.String({
  maxLength: 1000,
  description: 'The callback runs only if this condition is met. Empty if it always runs.',
});
const CallbackArguments = Type.String({ description: 'An object as JSON text, with placeholders as written.' });
const InitialDelay = Type.Integer({ minimum: 0, maximum: 31_536_000, description: 'Seconds to wait before the run.' });
const RunTimeout = Type.Integer({ minimum: 0, maximum: 5_256_000, description: 'In minutes. 0 means no limit.' });
const WaitTimeout = Type.Integer({
  minimum: 0,
  maximum: 5_256_000,
  description: 'In minutes. 0 means that the callback does not wait for a report.',
});

export const Callback = v.resource('Callback', 'The work that a state starts when an experiment enters it.', {
  uri: v.Uri,
  label: v.Label,
  description: v.LongText,
  function: v.Label,
  condition: Condition,
  callback_arguments: CallbackArguments,
  initial_delay: InitialDelay,
  run_timeout: RunTimeout,
  wait_timeout: WaitTimeout,
  state: v.Ref,
  executions: Type.Array(v.IdAndUri),
});

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
  result: Result,
  result_log: Type.String(),
  run_log: Type.String(),
  result_values: v.JsonObject,
  attempt: Type.Integer({ minimum: 0, description: 'The number of the latest attempt. 0 if there is none yet.' }),
  next_attempt_at: v.nullable({ ...v.Time, description: 'When the next attempt starts. Null if none is planned.' }),
  last_error: v.nullable(Type.String({ description: 'The error of the latest failed attempt.' })),
});

const Secret = Type.Optional(
  Type.String({
    maxLength: 1024,
    writeOnly: true,
    description: 'The secret of the execution, instead of other credentials.',
  }),
);

const Report = v.closed({
  status: Type.Optional(Status),
  result: Type.Optional(Result),
  result_log: Type.Optional(v.nullable(Type.String())),
  run_log: Type.Optional(v.nullable(Type.String())),
  result_values: Type.Optional(v.nullable(v.JsonObject)),
  secret_key: Secret,
  secret: Secret,
  ...v.readOnly('id', 'uri', 'api_uri', 'web_uri', 'action', 'callback', 'cohort', 'experiment', 'subject'),
  ...v.readOnly('external_systems', 'created', 'wait_start', 'run_start', 'finished'),
  ...v.readOnly('attempt', 'next_attempt_at', 'last_error'),
});

const CallbackChange = v.closed({
  label: Type.Optional(v.Label),
  description: Type.Optional(v.nullable(v.LongText)),
  function: Type.Optional(v.Label),
  condition: Type.Optional(v.nullable(Condition)),
  callback_arguments: Type.Optional(
    v.nullable(Type.String({ description: 'An object as JSON or YAML text. Null removes all arguments.' })),
  ),
  initial_delay: Type.Optional(InitialDelay),
  run_timeout: Type.Optional(RunTimeout),
  wait_timeout: Type.Optional(WaitTimeout),
  ...v.readOnly('uri', 'state', 'executions'),
});

const callbackExample = {
  uri: '/api/v2/callbacks/12',
  label: 'check_protocol',
  description: 'Ask the archive whether all series are complete',
  function: 'http',
  condition: "experiment.variables['resend'] != true",
  callback_arguments: '{"url":"{{external_systems.XNAT}}/check","method":"POST"}',
  initial_delay: 5,
  run_timeout: 30,
  wait_timeout: 0,
  state: { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
  executions: [{ id: 914, uri: '/api/v2/callback_executions/914' }],
};

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
};

export const callbackOperations = defineOperations({
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
      'The status can only move forward: created, queued, running, waiting, then finished or skipped. When all executions ' +
      'of an action are resolved, the experiment can move in the same transaction. The response then shows its new state. ' +
      'Send the secret as a bearer token or as `secret_key`. `secret` is another name for `secret_key`.',
    access: executionSecretOr('action_update'),
    version: 'checked',
    params: v.ById,
    body: Report,
    response: CallbackExecution,
    statuses: {
      200: 'The callback execution. Repeating the same report changes nothing.',
      404: 'No callback execution has this id.',
      409: 'The execution is already resolved, the status would move backwards, or a newer attempt has replaced this one.',
    },
    example: {
      body: { status: 'finished', result: 'success', result_values: { status: 200, body: { usable: true } } },
      response: executionExample,
    },
  },
  listCallbacks: {
    method: 'GET',
    path: '/callbacks',
    summary: 'List callbacks',
    description: 'The callbacks of all states, ordered by id.',
    access: signedIn,
    query: v.Page,
    response: v.listOf('callbacks', v.Ref),
    statuses: { 200: 'The callbacks.' },
    example: { response: { callbacks: [{ id: 12, label: 'check_protocol', uri: '/api/v2/callbacks/12' }] } },
  },
  getCallback: {
    method: 'GET',
    path: '/callbacks/{id}',
    summary: 'Read a callback',
    description: '`executions` is complete and streamed. If you do not need it, leave it out with `X-Fields`.',
    access: signedIn,
    version: 'shown',
    params: v.ById,
    response: Callback,
    statuses: { 200: 'The callback.', 404: 'No callback has this id.' },
    example: { response: callbackExample },
  },
  updateCallback: {
    method: 'PUT',
    path: '/callbacks/{id}',
    summary: 'Change a callback',
    description:
      'Creates a new revision of the workflow and is checked like an import. The change applies to executions created ' +
      'later, not to existing ones. Absent fields keep their values. Null clears a text field that can be empty.',
    access: needs('workflow_manage'),
    installationWide: true,
    version: 'checked',
    params: v.ById,
    body: CallbackChange,
    response: Callback,
    statuses: {
      200: 'The callback.',
      404: 'No callback has this id.',
      409: 'Another callback of the state has this label, or the callback is no longer part of its workflow.',
    },
    example: { body: { run_timeout: 30 }, response: callbackExample },
  },
});
