/** Bulk operations, beyond the specification: one change to many experiments (docs/decisions/0046). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import { maxQueryLength } from '../queries/terms.ts';
import * as v from '../values.ts';
import { Assignee, BulkItem, BulkOperation, changeFields, Rate, Reason, storedReason } from './bulk-operation.ts';
import { bulkKinds, bulkResults, maxBulkExperiments } from './choices.ts';

const maxVariables = 50;

const bulkExample = {
  id: 31,
  uri: '/api/v2/bulk_operations/31',
  kind: 'move',
  status: 'checked',
  stopped_because: null,
  query: 'state:conversion in-state>3d',
  refused_of: null,
  state: 'reprocessing',
  run_callbacks: null,
  variables: null,
  user_id: null,
  text: null,
  applied: false,
  reason: '',
  rate: 50,
  author: { id: 5, name: 'Amina Haddad' },
  experiments: 1240,
  ready: 1232,
  done: 0,
  refused: 8,
  refusals: [{ number: 1, code: 'subject_withdrawn', detail: 'The subject has withdrawn.', experiments: 8 }],
  waiting_for: null,
  per_second: null,
  seconds_left: null,
  created_at: '2026-02-16T10:51:12.400Z',
  checked_at: '2026-02-16T10:51:13.100Z',
  started_at: null,
  ended_at: null,
};
const running = {
  ...bulkExample,
  status: 'running',
  applied: true,
  reason: 'Convert again with 1.0.2024',
  started_at: '2026-02-16T10:52:20.000Z',
};

const noBulkOperation = 'No bulk operation has this id, or you cannot read all its experiments and did not start it.';
const onlyAuthor = 'Only its author can do this.';
const uriAfterKey = 'A request repeated with its `Idempotency-Key` returns `uri` alone.';

const changeStatus = (
  verb: 'pause' | 'resume' | 'stop',
  text: { summary: string; description: string; conflict: string },
) => ({
  method: 'POST' as const,
  path: `/bulk_operations/{id}/${verb}` as const,
  summary: text.summary,
  description: `${text.description} ${onlyAuthor} \`Idempotency-Key\` is ignored, because a repeated request changes nothing.`,
  access: signedIn,
  idempotencyKey: 'ignored' as const,
  params: v.ById,
  response: BulkOperation,
  statuses: {
    200: 'The operation.',
    403: 'You are not its author.',
    404: noBulkOperation,
    409: text.conflict,
  },
  example: { response: running },
});

export const bulkOperationOperations = defineOperations({
  createBulkOperation: {
    method: 'POST',
    path: '/bulk_operations',
    summary: 'Change many experiments',
    description:
      `Chooses up to ${maxBulkExperiments} experiments by ids, by a query or by the refused ones of another operation, and checks for each whether ` +
      'the change would succeed. With `dry_run`, it waits for `/bulk_operations/{id}/apply`. Without it, it is applied after the check. ' +
      'Workers do both. An experiment that changes after the check is refused, unless the change is a note or an assignment. ' +
      `Each kind needs the permission that its operation for one experiment needs. ${uriAfterKey}`,
    access: signedIn,
    idempotencyKey: 'uri',
    bodyMiB: 4,
    body: v.closed({
      kind: v.oneOf(bulkKinds),
      experiment_ids: v.optional(
        Type.Array(v.Id, {
          minItems: 1,
          maxItems: maxBulkExperiments,
          description: 'The ids. Repeated ones count once.',
        }),
      ),
      query: v.optional(
        Type.String({ maxLength: maxQueryLength, description: 'A query, such as `state:conversion in-state>3d`.' }),
      ),
      refused_of: v.optional({ ...v.Id, description: 'Another bulk operation, whose refused experiments are chosen.' }),
      state: v.optional(changeFields.state),
      run_callbacks: v.optional(changeFields.run_callbacks),
      variables: v.optional({ ...changeFields.variables, maxProperties: maxVariables }),
      user_id: v.clearable(Assignee),
      text: v.optional(changeFields.text),
      reason: v.optional({ ...Reason, description: `${storedReason} Required without \`dry_run\`.` }),
      rate: v.optional(Rate),
      dry_run: v.guard(Type.Boolean({ description: 'Only checks the experiments. Default: false.' })),
    }),
    response: BulkOperation,
    statuses: {
      201: 'The operation was created. Workers check its experiments.',
      400: 'The request is invalid, a field is missing for the kind, or the query has an error.',
      403: 'You do not have the permission for the kind in any cohort.',
      404: 'No operation has the id of `refused_of`.',
      409: 'You have too many operations that have not ended.',
    },
    example: {
      body: { kind: 'move', query: bulkExample.query, state: 'reprocessing', dry_run: true },
      response: { ...bulkExample, status: 'checking', checked_at: null },
    },
  },
  listBulkOperations: {
    method: 'GET',
    path: '/bulk_operations',
    summary: 'List bulk operations',
    description: 'Newest first: your own, and those whose experiments you can all read.',
    access: signedIn,
    newestFirst: true,
    query: v.closed({
      own: Type.Optional(Type.Boolean({ description: 'Only your own.' })),
      applied: Type.Optional(Type.Boolean({ description: 'Only those that were applied, without dry runs.' })),
      before: Type.Optional({
        ...v.Id,
        description: 'Only those with a smaller id. The `Link` header has the next page.',
      }),
      limit: v.screenLimit(50),
    }),
    response: v.listOf('bulk_operations', BulkOperation),
    statuses: { 200: 'The operations.' },
    example: { response: { bulk_operations: [bulkExample] } },
  },
  getBulkOperation: {
    method: 'GET',
    path: '/bulk_operations/{id}',
    summary: 'Read a bulk operation',
    description: 'Shows its progress, and how many experiments were refused for each reason.',
    access: signedIn,
    params: v.ById,
    response: BulkOperation,
    statuses: { 200: 'The operation.', 404: noBulkOperation },
    example: { response: bulkExample },
  },
  listBulkItems: {
    method: 'GET',
    path: '/bulk_operations/{id}/items',
    summary: 'List the experiments of a bulk operation',
    description: 'Only experiments that you can read. In the order in which they are changed.',
    access: signedIn,
    params: v.ById,
    query: v.closed({
      result: Type.Optional(v.oneOf(bulkResults, { description: 'Only those with this result.' })),
      refusal: Type.Optional({ ...v.Id, description: 'Only those that were refused for the reason with this number.' }),
      ...v.screenPage(100),
    }),
    response: v.listOf('items', BulkItem),
    statuses: { 200: 'The experiments.', 404: noBulkOperation },
    example: {
      response: {
        items: [
          {
            number: 4,
            experiment_id: 112,
            experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
            result: 'refused',
            code: 'subject_withdrawn',
            detail: 'The subject has withdrawn.',
          },
        ],
      },
    },
  },
  applyBulkOperation: {
    method: 'POST',
    path: '/bulk_operations/{id}/apply',
    summary: 'Apply a checked bulk operation',
    description: `Changes the experiments that the check found to succeed. It stops if its author loses the permission. ${onlyAuthor} ${uriAfterKey}`,
    access: signedIn,
    idempotencyKey: 'uri',
    params: v.ById,
    body: v.closed({ reason: Reason, rate: v.optional(Rate) }),
    response: BulkOperation,
    statuses: {
      200: 'The operation, which is running.',
      403: 'You are not its author.',
      404: noBulkOperation,
      409: 'It is still being checked, or it has already been applied or stopped.',
    },
    example: { body: { reason: running.reason }, response: running },
  },
  pauseBulkOperation: changeStatus('pause', {
    summary: 'Pause a bulk operation',
    description: 'Experiments that were changed stay changed.',
    conflict: 'It is not running.',
  }),
  resumeBulkOperation: changeStatus('resume', {
    summary: 'Resume a paused bulk operation',
    description: 'Continues with the experiments that were not changed yet.',
    conflict: 'It is not paused.',
  }),
  stopBulkOperation: changeStatus('stop', {
    summary: 'Stop a bulk operation',
    description: 'Experiments that were changed stay changed. It cannot be resumed.',
    conflict: 'It has already ended.',
  }),
});
