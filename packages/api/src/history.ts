/** The history: what was changed, by whom, for good. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { needs } from './permission.ts';
import * as v from './values.ts';

export const HistoryEntry = v.resource('HistoryEntry', 'A change, as it was recorded.', {
  id: v.Id,
  sequence: Type.Integer({ minimum: 1, description: 'Its place in its chain, from 1 and without gaps.' }),
  at: v.Time,
  actor: v.closed({
    kind: v.oneOf(['user', 'execution', 'engine', 'operator'], {
      description:
        'execution: a program with the secret of an execution. engine: the workflow by itself. operator: the command line or the first start.',
    }),
    id: v.nullable(v.Id),
  }),
  request_id: v.nullable(Type.String({ description: 'As logs and answers name it.' })),
  operation: Type.String(),
  object: v.closed({ kind: Type.String(), id: v.Id }),
  before: v.nullable(v.JsonObject),
  after: v.nullable(v.JsonObject),
  reason: Type.String(),
  hash: Type.String({ description: 'Binds the entry to the one before it; hexadecimal.' }),
  erased: Type.Boolean({ description: 'Whether personal values of it were destroyed.' }),
});

export const historyOperations = defineOperations({
  listExperimentHistory: {
    method: 'GET',
    path: '/experiments/{id}/history',
    summary: 'List everything that was done to an experiment',
    description:
      'Every change of the experiment, its actions, executions, notes and scans, in the order in which they were written.',
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
