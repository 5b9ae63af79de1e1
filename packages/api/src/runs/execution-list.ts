/** The list of callback executions, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { executionResults, executionStatuses } from './choices.ts';

export const ExecutionSummary = v.resource('ExecutionSummary', 'A callback execution, as shown in a list.', {
  id: v.Id,
  uri: v.Uri,
  callback: v.Ref,
  experiment: v.Ref,
  status: v.oneOf(executionStatuses),
  result: v.oneOf(executionResults),
  created: v.Time,
  run_start: v.nullable(v.Time),
  finished: v.nullable(v.Time),
  attempt: Type.Integer({ minimum: 0, description: 'The number of the latest attempt. 0 if there is none yet.' }),
});

export const defaultExecutions = 100;

export const executionListOperations = defineOperations({
  listCallbackExecutions: {
    method: 'GET',
    path: '/callback_executions',
    summary: 'List callback executions',
    description: 'The executions that match all filters, ordered by id.',
    access: signedIn,
    query: v.closed({
      status: Type.Optional(v.oneOf(executionStatuses, { description: 'Only executions with this status.' })),
      result: Type.Optional(
        v.oneOf(executionResults, {
          description: 'Only executions with this result. Without `status`, only finished ones.',
        }),
      ),
      ...v.screenPage(defaultExecutions),
    }),
    response: v.listOf('callback_executions', ExecutionSummary),
    statuses: { 200: 'The executions.' },
    example: {
      response: {
        callback_executions: [
          {
            id: 914,
            uri: '/api/v2/callback_executions/914',
            callback: { id: 12, label: 'check_protocol', uri: '/api/v2/callbacks/12' },
            experiment: { id: 112, label: 'MC-0041-baseline', uri: '/api/v2/experiments/112' },
            status: 'finished',
            result: 'failed',
            created: '2026-02-17T11:02:09.120Z',
            run_start: '2026-02-17T11:02:14.300Z',
            finished: '2026-02-17T11:04:31.007Z',
            attempt: 1,
          },
        ],
      },
    },
  },
});
