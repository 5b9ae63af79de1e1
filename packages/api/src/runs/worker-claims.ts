/** Pulling workers, beyond the specification: programs that take executions from queues and run them. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { executionSecretOr, needs } from '../permission.ts';
import * as v from '../values.ts';

const LeaseSeconds = Type.Integer({
  minimum: 1,
  description: 'Renew the claim within this time. Otherwise another worker gets the execution.',
});
const Attempt = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the claimed attempt.',
});

export const Claim = v.resource('Claim', 'An execution that your worker runs, with everything it needs.', {
  execution: v.closed({ id: v.Id, uri: v.Uri, api_uri: v.ApiUri, web_uri: v.WebUri }),
  attempt: Attempt,
  secret: Type.String({
    description: 'Lets you read and report on this execution during this attempt. It is shown only once.',
  }),
  queue: v.Label,
  function: v.Label,
  arguments: { ...v.JsonObject, description: 'The arguments of the callback, with placeholders filled in.' },
  experiment: v.closed({ id: v.Id, label: v.Label, uri: v.Uri, api_uri: v.ApiUri, external_ids: v.TextBySystem }),
  subject: v.closed({ id: v.Id, label: v.Label, uri: v.Uri, external_ids: v.TextBySystem }),
  cohort: v.Ref,
  external_systems: v.TextBySystem,
  lease_seconds: LeaseSeconds,
});

export const ClaimRenewal = v.resource('ClaimRenewal', 'Whether to continue the run, and the length of the lease.', {
  execution_id: v.Id,
  attempt: Attempt,
  lease_seconds: LeaseSeconds,
  continue: Type.Boolean({ description: 'False if the execution was resolved elsewhere. Stop the run.' }),
});

/** The most claims of a request. */
export const maxClaims = 100;

const ClaimRequest = v.closed({
  queues: Type.Array(v.Label, { minItems: 1, maxItems: 50, description: 'The names of the queues.' }),
  max: v.optional(
    Type.Integer({ minimum: 1, maximum: maxClaims, description: 'The maximum number of claims. Default: 1.' }),
  ),
  wait_seconds: v.optional(
    Type.Integer({ minimum: 0, maximum: 30, description: 'How long to wait for the first execution. Default: 0.' }),
  ),
});

const Renewal = v.closed({
  attempt: v.guard({ ...Attempt, description: 'The attempt that you run. Required unless you send the secret.' }),
  log: v.optional(Type.String({ description: 'Appended to the log of the attempt.' })),
});

const claimExample = {
  execution: {
    id: 914,
    uri: '/api/v2/callback_executions/914',
    api_uri: 'https://milepost.example.org/api/v2/callback_executions/914',
    web_uri: 'https://milepost.example.org/callback_executions/914',
  },
  attempt: 1,
  secret: 'mpe_Zk3vYlq0WcQ',
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
    summary: 'Claim executions',
    description:
      'Claims executions from queues. Only one worker at a time can claim an execution. Renew the claim during the run, and report the ' +
      'result with `PUT /callback_executions/{id}` and the secret of the claim. An unknown queue is empty.',
    access: needs('worker_run'),
    installationWide: true,
    idempotencyKey: 'ignored',
    body: ClaimRequest,
    response: v.listOf('claims', Claim),
    statuses: { 200: 'The claims. The list is empty if there is no work.' },
    example: { body: { queues: ['segmentation'], max: 1, wait_seconds: 20 }, response: { claims: [claimExample] } },
  },
  renewClaim: {
    method: 'PUT',
    path: '/worker/claims/{execution_id}',
    summary: 'Renew a claim',
    description:
      'Renews the lease and can append to the log of the attempt. If `continue` is false, the execution was resolved ' +
      'elsewhere and the worker must stop. Without the secret, you must send the `attempt` and can renew only your own claims.',
    access: executionSecretOr('worker_run'),
    installationWide: true,
    params: v.closed({ execution_id: v.Id }),
    body: Renewal,
    response: ClaimRenewal,
    statuses: {
      200: 'Whether to continue the run.',
      404: 'No callback execution has this id.',
      409: 'A newer attempt has replaced this one. Stop the run. Its outcome no longer counts.',
    },
    example: {
      body: { attempt: 1, log: 'Series 3 of 5\n' },
      response: { execution_id: 914, attempt: 1, lease_seconds: 20, continue: true },
    },
  },
});
