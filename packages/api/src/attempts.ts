/** What the specification lacks to follow a run: the attempts of an execution. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import * as v from './values.ts';

export const ExecutionAttempt = v.resource('ExecutionAttempt', 'One attempt to run a callback execution.', {
  attempt: Type.Integer({ minimum: 1, description: 'Counted from 1.' }),
  worker: Type.String({ description: 'Who ran it.' }),
  started_at: v.Time,
  heartbeat_at: v.nullable({ ...v.Time, description: 'When the worker was last heard of.' }),
  ended_at: v.nullable(v.Time),
  error: v.nullable(Type.String({ description: 'Why it failed.' })),
  log: Type.String(),
});

export const attemptOperations = defineOperations({
  listExecutionAttempts: {
    method: 'GET',
    path: '/callback_executions/{id}/attempts',
    summary: 'List the attempts of a callback execution',
    description:
      'Ordered by their number, which is what `after` means here. A run that fails for a passing reason is tried again; ' +
      'each attempt has a log of its own.',
    access: signedIn,
    params: v.ById,
    query: v.Page,
    response: v.listOf('attempts', ExecutionAttempt),
    statuses: {
      200: 'The attempts. One that has not been started has none.',
      404: 'No callback execution has this id.',
    },
    example: {
      response: {
        attempts: [
          {
            attempt: 1,
            worker: 'host-1/4711',
            started_at: '2026-02-17T11:02:14.300Z',
            heartbeat_at: '2026-02-17T11:04:20.000Z',
            ended_at: '2026-02-17T11:04:31.007Z',
            error: null,
            log: 'POST https://xnat.example.org/check: 200',
          },
        ],
      },
    },
  },
});
