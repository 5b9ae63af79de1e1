/** The event stream, beyond the specification (docs/reference/events.md). */
import { Type, type TSchema } from 'typebox';
import { auditedKinds } from './audit-entry.ts';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';

const Word = Type.String({ minLength: 1, maxLength: 100 });

export const StreamedEvent = v.resource('StreamedEvent', 'A message about a change.', {
  id: v.Id,
  at: v.Time,
  kind: { ...Word, description: 'The operation or the rule of the engine that caused it.' },
  object_kind: {
    ...Word,
    description: 'The kind of object that changed, such as `experiment`, `callback_execution` or `subject`.',
  },
  object_id: v.Id,
  cohort_id: v.nullable(v.Id),
  experiment_id: v.nullable(v.Id),
  workflow_id: v.nullable(v.Id),
  data: {
    ...v.JsonObject,
    description: 'Details. For a move: `from_state_id`, `state_id`, `state`, `action_id` and others.',
  },
});

const only = <S extends TSchema>(schema: S, what: string) =>
  Type.Optional({ ...schema, description: `Only events ${what}.` });

export const eventOperations = defineOperations({
  listEvents: {
    method: 'GET',
    path: '/events',
    summary: 'Follow events',
    description:
      'A stream of server-sent events. Each message has an id. To resume without gaps or duplicates, reconnect with the last ' +
      'id in the `Last-Event-ID` header. The first message is `event: ready`. It is preceded by `event: reset` if some ' +
      'events since that id are no longer available or the id is invalid. In that case, read all your data again. A ' +
      'comment is sent every 15 seconds. You always receive events about your own account, but events about other users and ' +
      'roles only if you can read them. The stream ends when you lose access, when the server shuts down, or when you ' +
      'read too slowly. Then reconnect.',
    access: signedIn,
    stream: true,
    masked: false,
    query: v.closed({
      kind: only(Word, 'of this kind'),
      object_kind: Type.Optional(v.oneOf(auditedKinds, { description: 'Only events about objects of this kind.' })),
      experiment_id: only(v.Id, 'about this experiment, its actions, scans and executions'),
      cohort_id: only(v.Id, 'in this cohort'),
      workflow_id: only(v.Id, 'about this workflow and its experiments'),
    }),
    response: StreamedEvent,
    statuses: {
      200: 'The stream.',
      400: 'The request is invalid, or a filter names an object or a kind that does not exist.',
      503: 'Too many clients are connected to the event stream, or the database is unavailable. `Retry-After` says when to try again.',
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
