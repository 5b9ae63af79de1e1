/** The history of an experiment, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';

export const HistoryEntry = v.resource('HistoryEntry', 'The permanent record of a change.', {
  id: v.Id,
  sequence: Type.Integer({
    minimum: 1,
    description: 'The number of the entry in its chain, starting at 1, without gaps.',
  }),
  at: v.Time,
  actor: v.closed({
    kind: v.oneOf(['user', 'execution', 'engine', 'operator'], {
      description:
        '`execution`: a program with the secret of an execution. `engine`: automatic. `operator`: the command line, the ' +
        'settings or the first start.',
    }),
    id: v.nullable(v.Id),
  }),
  request_id: v.nullable(Type.String({ description: 'The id of the request, as in logs and responses.' })),
  operation: Type.String(),
  object: v.closed({ kind: Type.String(), id: v.Id }),
  before: v.nullable(v.JsonObject),
  after: v.nullable(v.JsonObject),
  reason: Type.String(),
  hash: Type.String({ description: 'Links the entry to the previous one. Hexadecimal.' }),
  erased: Type.Boolean({ description: 'Whether its personal values were destroyed.' }),
});

export const historyOperations = defineOperations({
  listExperimentHistory: {
    method: 'GET',
    path: '/experiments/{id}/history',
    summary: 'List the history of an experiment',
    description: 'Every change to the experiment and its actions, executions, notes and scans, oldest first.',
    access: needs('audit_read'),
    params: v.ById,
    query: v.closed(v.screenPage(100)),
    response: v.listOf('history', HistoryEntry),
    statuses: { 200: 'The entries.', 404: 'No experiment has this id.' },
    example: {
      response: {
        history: [
          {
            id: 90_211,
            sequence: 4,
            at: '2026-02-16T10:51:12.400Z',
            actor: { kind: 'user', id: 5 },
            request_id: '0b7f2c1e-6a52-4a0f-9f4e-2f1d7a0c9b11',
            operation: 'setExperimentState',
            object: { kind: 'experiment', id: 112 },
            before: { state: 'arrived' },
            after: { state: 'processed', state_id: 4, transition_id: 9, action_id: 530 },
            reason: 'Second series is good',
            hash: '4f1c0d4c1b0f7d1e0f6a5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e',
            erased: false,
          },
        ],
      },
    },
  },
});
