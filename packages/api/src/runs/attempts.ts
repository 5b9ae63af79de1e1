/** The attempts of an execution, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const ExecutionAttempt = v.resource('ExecutionAttempt', 'One try of a callback execution.', {
  attempt: Type.Integer({ minimum: 1, description: 'The number of the attempt, starting at 1.' }),
  worker: Type.String({ description: 'The worker that ran the attempt.' }),
  started_at: v.Time,
  heartbeat_at: v.nullable({ ...v.Time, description: 'The last heartbeat of the worker.' }),
  ended_at: v.nullable(v.Time),
  error: v.nullable(Type.String({ description: 'Why the attempt failed.' })),
  log: Type.String(),
});

export const attemptOperations = defineOperations({
  listExecutionAttempts: {
    method: 'GET',
    path: '/callback_executions/{id}/attempts',
    summary: 'List the attempts of a callback execution',
    description:
      'Ordered by number. `after` is the number of the last attempt you read. A run that fails for a temporary reason is ' +
      'retried automatically. Each attempt has its own log.',
    access: signedIn,
    params: v.ById,
    query: v.closed({
      ...v.page,
      log_from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 10_000_000,
          description: 'Omits this many characters at the start of each `log`. Default: 0.',
        }),
      ),
    }),
    response: v.listOf('attempts', ExecutionAttempt),
    statuses: {
      200: 'The attempts. The list is empty if the execution has not started.',
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
