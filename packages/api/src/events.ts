/** What the specification lacks for pages and programs that follow along: everything that happens, as it happens. */
import { Type, type TSchema } from 'typebox';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import * as v from './values.ts';

const Word = Type.String({ minLength: 1, maxLength: 100 });

export const StreamedEvent = v.resource('StreamedEvent', 'Something that happened.', {
  id: v.Id,
  at: v.Time,
  kind: { ...Word, description: 'The operation or rule that caused it.' },
  object_kind: { ...Word, description: 'What it happened to: experiment, callback_execution, subject ...' },
  object_id: v.Id,
  cohort_id: v.nullable(v.Id),
  experiment_id: v.nullable(v.Id),
  workflow_id: v.nullable(v.Id),
  data: { ...v.JsonObject, description: 'What is particular. Of a move: from_state_id, state_id, state, action_id.' },
});

const only = <S extends TSchema>(schema: S, what: string) =>
  Type.Optional({ ...schema, description: `Only events ${what}.` });

export const eventOperations = defineOperations({
  listEvents: {
    method: 'GET',
    path: '/events',
    summary: 'Follow what happens',
    description:
      'Server-sent events, in the order in which they can be resumed: each has an id, and whoever connects again with it in ' +
      'the header `Last-Event-ID` gets what came since, none lost and none twice. The first message is `event: ready`. Before ' +
      'it stands `event: reset` where some of what came since is no longer kept, or the id is none of ours: read everything ' +
      'anew then. A comment comes every 15 seconds. What happens to users and roles is ' +
      'told to those who may read them, and to everybody of their own account. The stream ends when you may no longer read it, when the server stops, ' +
      'and when you read too slowly: connect again.',
    access: signedIn,
    stream: true,
    masked: false,
    query: v.closed({
      kind: only(Word, 'of this kind'),
      object_kind: only(Word, 'of objects of this kind'),
      experiment_id: only(v.Id, 'of this experiment and its executions'),
      cohort_id: only(v.Id, 'of this cohort'),
      workflow_id: only(v.Id, 'of this workflow and its experiments'),
    }),
    response: StreamedEvent,
    statuses: {
      200: 'The stream. It does not end by itself.',
      503: 'Too many follow along at this server, or its database cannot be reached; `Retry-After` says when to try again.',
    },
    example: {
      response: {
        id: 90_417,
        at: '2026-11-15T08:30:00.120Z',
        kind: 'setExperimentState',
        object_kind: 'experiment',
        object_id: 112,
        cohort_id: 7,
        experiment_id: 112,
        workflow_id: 1,
        data: { state: 'processed', state_id: 4, from_state_id: 3, transition_id: 6, action_id: 2041 },
      },
    },
  },
});
