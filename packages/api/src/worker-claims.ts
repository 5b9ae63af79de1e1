/** What the specification lacks for programs that run callbacks themselves: they pull executions from queues. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { executionSecretOr, needs } from './permission.ts';
import * as v from './values.ts';

const LeaseSeconds = Type.Integer({ minimum: 1, description: 'Renew within this time, or it is given to another.' });
const Attempt = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the attempt that the claim is for.',
});

export const Claim = v.resource('Claim', 'An execution that is yours to run, with what you need for it.', {
  execution: v.closed({ id: v.Id, uri: v.Uri, api_uri: v.ApiUri, web_uri: v.WebUri }),
  attempt: Attempt,
  secret: Type.String({ description: 'Opens this execution while this attempt lasts. It is answered here only.' }),
  queue: v.Label,
  function: v.Label,
  arguments: { ...v.JsonObject, description: 'The arguments of the callback, with placeholders filled in.' },
  experiment: v.closed({ id: v.Id, label: v.Label, uri: v.Uri, api_uri: v.ApiUri, external_ids: v.TextBySystem }),
  subject: v.closed({ id: v.Id, label: v.Label, uri: v.Uri, external_ids: v.TextBySystem }),
  cohort: v.Ref,
  external_systems: v.TextBySystem,
  lease_seconds: LeaseSeconds,
});

export const ClaimRenewal = v.resource(
  'ClaimRenewal',
  'Whether the run still counts, and how long the claim is good.',
  {
    execution_id: v.Id,
    attempt: Attempt,
    lease_seconds: LeaseSeconds,
    continue: Type.Boolean({ description: 'False: somebody has decided otherwise. Stop the run.' }),
  },
);

const Wanted = v.closed({
  queues: Type.Array(v.Label, { minItems: 1, maxItems: 50, description: 'The names of the queues to take from.' }),
  max: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'At most this many. Default: 1.' })),
  wait_seconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 30, description: 'Wait so long for the first one. Default: 0.' }),
  ),
});

const Renewal = v.closed({
  attempt: Type.Optional({ ...Attempt, description: 'The attempt that you run. Without a secret it is required.' }),
  log: Type.Optional(Type.String({ description: 'Is added to the log of the attempt.' })),
});

const claimExample = {
  execution: {
    id: 914,
    uri: '/api/v2/callback_executions/914',
    api_uri: 'https://milepost.example.org/api/v2/callback_executions/914',
    web_uri: 'https://milepost.example.org/callback_executions/914',
  },
  attempt: 1,
  secret: 'mpe_914_1_Zk3vYlq0WcQ',
  queue: 'segmentation',
  function: 'worker',
  arguments: { queue: 'segmentation', payload: { series: 'T1', session: 'XNAT_E00112' } },
  experiment: {
    id: 112,
    label: 'MC-0041-baseline',
    uri: '/api/v2/experiments/112',
    api_uri: 'https://milepost.example.org/api/v2/experiments/112',
    external_ids: { XNAT: 'XNAT_E00112' },
  },
  subject: { id: 41, label: 'MC-0041', uri: '/api/v2/subjects/41', external_ids: { XNAT: 'XNAT_S00041' } },
  cohort: { id: 7, label: 'Memory Clinic', uri: '/api/v2/cohorts/7' },
  external_systems: { XNAT: 'https://xnat.example.org' },
  lease_seconds: 20,
};

export const workerClaimOperations = defineOperations({
  claimExecutions: {
    method: 'POST',
    path: '/worker/claims',
    summary: 'Take executions from queues to run them',
    description:
      'Each execution is given to one worker at a time. Renew a claim while it runs; report how it ended with PUT ' +
      '/callback_executions/{id} and the secret of the claim. A queue that nobody has used yet is empty.',
    access: needs('worker_run'),
    installationWide: true,
    repeats: 'anew',
    body: Wanted,
    response: v.listOf('claims', Claim),
    statuses: { 200: 'The claims: none, if there was nothing to do.' },
    example: { body: { queues: ['segmentation'], max: 1, wait_seconds: 20 }, response: { claims: [claimExample] } },
  },
  renewClaim: {
    method: 'PUT',
    path: '/worker/claims/{execution_id}',
    summary: 'Say that an execution is still being run',
    description:
      'Prolongs the claim, and may add to the log of the attempt. `continue` false asks the worker to stop: the execution ' +
      'has been resolved by somebody else. Who comes without a secret names the attempt, and renews their own only.',
    access: executionSecretOr('worker_run'),
    installationWide: true,
    params: v.closed({ execution_id: v.Id }),
    body: Renewal,
    response: ClaimRenewal,
    statuses: {
      200: 'Whether to go on.',
      404: 'No callback execution has this id.',
      409: 'A newer attempt has replaced this one. Stop the run: its outcome no longer counts.',
    },
    example: {
      body: { attempt: 1, log: 'Series 3 of 5\n' },
      response: { execution_id: 914, attempt: 1, lease_seconds: 20, continue: true },
    },
  },
});
