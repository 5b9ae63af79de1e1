/** Callbacks (specification, section 4, Callback executions and callbacks). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, signedIn } from '../permission.ts';
import * as v from '../values.ts';

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
const RetryFor = Type.Integer({
  minimum: 0,
  maximum: 10_080,
  description: 'Minutes for which a temporary failure is retried, from the first failure in a row. 0 means no retry.',
});
const RetryFirst = Type.Integer({
  minimum: 1,
  maximum: 300,
  description: 'Seconds before the first retry. The pause doubles with each further failure, up to 5 minutes.',
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
  retry_for: RetryFor,
  retry_first: RetryFirst,
  state: v.Ref,
  executions: Type.Array(v.IdAndUri),
});

const CallbackChange = v.closed({
  label: v.optional(v.Label),
  description: v.clearable(v.LongText),
  function: v.optional(v.Label),
  condition: v.clearable(Condition),
  callback_arguments: v.clearable(
    Type.String({ description: 'An object as JSON or YAML text. Null removes all arguments.' }),
  ),
  initial_delay: v.optional(InitialDelay),
  run_timeout: v.optional(RunTimeout),
  wait_timeout: v.optional(WaitTimeout),
  retry_for: v.optional(RetryFor),
  retry_first: v.optional(RetryFirst),
  ...v.readOnly('uri', 'state', 'executions'),
});

export const callbackExample = {
  uri: '/api/v2/callbacks/12',
  label: 'check_protocol',
  description: 'Ask the archive whether all series are complete',
  function: 'http',
  condition: "experiment.variables['resend'] != true",
  callback_arguments: '{"url":"{{external_systems.XNAT}}/check","method":"POST"}',
  initial_delay: 5,
  run_timeout: 30,
  wait_timeout: 0,
  retry_for: 45,
  retry_first: 5,
  state: { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
  executions: [{ id: 914, uri: '/api/v2/callback_executions/914' }],
};

export const callbackOperations = defineOperations({
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
    description:
      '`executions` lists every execution and is streamed. If you do not need it, leave it out with `X-Fields`.',
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
