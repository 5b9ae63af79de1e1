/** The decision about an experiment, and its place among all decisions. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { attentionExperiments } from './attention.ts';
import { stateLook } from '../workflows/decisions.ts';

export const ExperimentDecision = v.resource(
  'ExperimentDecision',
  'The state of an experiment, and its place among the experiments that wait for a decision.',
  {
    state: v.Ref,
    freetext: v.LongText,
    ...stateLook,
    waiting: Type.Boolean({ description: 'Whether the experiment waits for a decision.' }),
    since: v.nullable({ ...v.Time, description: 'When the wait began.' }),
    due_at: v.nullable(v.Time),
    overdue: Type.Boolean(),
    position: v.nullable(
      Type.Integer({ minimum: 1, description: 'Its place among the decisions, those due first at the top.' }),
    ),
    total: Type.Integer({ minimum: 0, description: 'The number of your experiments that wait for a decision.' }),
    previous: v.nullable(v.Ref),
    next: v.nullable(v.Ref),
  },
);

export const decisionOperations = defineOperations({
  getExperimentDecision: {
    method: 'GET',
    path: '/experiments/{id}/decision',
    summary: 'Read the decision about an experiment',
    description:
      'Returns what users see when they decide, whether the experiment waits for a decision, and the previous and next one. ' +
      '`position`, `total`, `previous` and `next` are those of the filtered list. If the experiment is not in it, `next` is the first one.',
    access: signedIn,
    params: v.ById,
    query: v.closed(attentionExperiments),
    response: ExperimentDecision,
    statuses: {
      200: 'The decision.',
      404: 'No experiment has this id.',
    },
    example: {
      response: {
        state: { id: 9, label: 'visual_qc', uri: '/api/v2/states/9' },
        freetext: 'A person reviews the images and decides',
        title: 'Visual QC',
        colour: '#d97706',
        outcome: null,
        decision: {
          due: '3d',
          show: [{ variable: 'motion', title: 'Motion', unit: 'mm', min: null, max: 1.2 }],
          fields: [],
        },
        waiting: true,
        since: '2026-02-16T09:12:00.000Z',
        due_at: '2026-02-19T09:12:00.000Z',
        overdue: false,
        position: 2,
        total: 23,
        previous: { id: 111, label: 'MC-0040-baseline', uri: '/api/v2/experiments/111' },
        next: null,
      },
    },
  },
});
