/** The timeline of an experiment: its actions and runs, with their authors. */
import { Type } from 'typebox';
import { Cause } from '../runs/causes.ts';
import { executionResults, executionStatuses } from '../runs/choices.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

export const actionKinds = ['move', 'retry', 'entry', 'correction'] as const;

export const TimelineExecution = v.resource('TimelineExecution', 'A callback execution in a timeline.', {
  id: v.Id,
  uri: v.Uri,
  web_uri: v.WebUri,
  callback: v.Label,
  function: v.Label,
  status: v.oneOf(executionStatuses),
  result: v.oneOf(executionResults),
  attempt: Type.Integer({ minimum: 0 }),
  created: v.Time,
  run_start: v.nullable(v.Time),
  finished: v.nullable(v.Time),
  next_attempt_at: v.nullable(v.Time),
  last_error: v.nullable(Type.String()),
  cause: Cause,
  worker: Type.String({ description: 'The worker of the latest attempt. Empty if there is none.' }),
});

const Actor = v.closed({
  kind: v.oneOf(['user', 'execution', 'engine', 'operator'], {
    description: '`execution`: a program with the secret of an execution. `engine`: automatic.',
  }),
  id: v.nullable(v.Id),
  name: Type.String({ description: 'The name of the user or the callback. Empty for other kinds.' }),
});

export const TimelineAction = v.resource('TimelineAction', 'An action in a timeline.', {
  id: v.Id,
  uri: v.Uri,
  web_uri: v.WebUri,
  sequence: Type.Integer({ minimum: 1, description: 'The number of the action. 1 is the creation of the experiment.' }),
  kind: v.oneOf(actionKinds),
  from: v.Ref,
  to: v.Ref,
  start_time: v.Time,
  end_time: v.nullable(v.Time),
  success: Type.Boolean(),
  freetext: v.LongText,
  return_value: Type.String(),
  actor: Actor,
  executions: Type.Array(TimelineExecution),
});

const [arrived, processed] = [
  { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
  { id: 4, label: 'processed', uri: '/api/v2/states/4' },
];

export const timelineOperations = defineOperations({
  getExperimentTimeline: {
    method: 'GET',
    path: '/experiments/{id}/timeline',
    summary: 'Read the timeline of an experiment',
    description: 'Its actions, newest first, each with its author and the callback executions that it started.',
    access: signedIn,
    newestFirst: true,
    params: v.ById,
    query: v.closed({
      before: Type.Optional({
        ...v.Id,
        description: 'Only actions with a smaller `sequence`. Use it to read the next page.',
      }),
      limit: v.screenLimit(50),
    }),
    response: v.listOf('actions', TimelineAction),
    statuses: { 200: 'The actions.', 404: 'No experiment has this id.' },
    example: {
      response: {
        actions: [
          {
            id: 530,
            uri: '/api/v2/actions/530',
            web_uri: 'https://milepost.example.org/actions/530',
            sequence: 2,
            kind: 'move',
            from: arrived,
            to: processed,
            start_time: '2026-02-17T11:02:09.120Z',
            end_time: '2026-02-17T11:04:31.007Z',
            success: false,
            freetext: 'Second upload complete',
            return_value: '[]',
            actor: { kind: 'user', id: 5, name: 'J. Jansen' },
            executions: [
              {
                id: 914,
                uri: '/api/v2/callback_executions/914',
                web_uri: 'https://milepost.example.org/callback_executions/914',
                callback: 'segment',
                function: 'command',
                status: 'finished',
                result: 'failed',
                attempt: 5,
                created: '2026-02-17T11:02:09.120Z',
                run_start: '2026-02-17T11:02:09.240Z',
                finished: '2026-02-17T11:04:31.007Z',
                next_attempt_at: null,
                last_error: 'Unexpected exit code: 1 (expected 0).',
                cause: 'No space left on /scratch',
                worker: 'host-1/4711',
              },
            ],
          },
        ],
      },
    },
  },
});
