/** How long experiments stay in each state, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { workflowExample } from '../workflows/workflows.ts';

/** The most recent stays in a state that the figures are computed from. */
export const maxStays = 1000;

const seconds = (description: string) => v.nullable(Type.Number({ minimum: 0, description }));

const figures = {
  stays: Type.Integer({ minimum: 0, description: 'The number of completed stays that the figures are computed from.' }),
  median_seconds: seconds('Half of the stays are shorter. Null if there are none.'),
  p90_seconds: seconds('90 % of the stays are shorter. Null if there are none.'),
};

export const CohortDurations = v.resource('CohortDurations', 'The stays of the experiments of a cohort in a state.', {
  cohort: v.Ref,
  ...figures,
});

export const StateDurations = v.resource('StateDurations', 'How long experiments stayed in a state.', {
  state: v.Ref,
  ...figures,
  more: Type.Boolean({
    description: `More than ${maxStays} stays ended in the period. Only the most recent ones are considered.`,
  }),
  cohorts: Type.Array(CohortDurations, { description: 'The cohorts with stays, ordered by label.' }),
});

export const WorkflowDurations = v.resource('WorkflowDurations', 'How long experiments stayed in each state.', {
  workflow: v.Ref,
  from: v.Time,
  to: v.Time,
  states: Type.Array(StateDurations, {
    description: 'In the order of the definition. Includes retired states only if they have stays.',
  }),
});

export const durationOperations = defineOperations({
  getWorkflowDurations: {
    method: 'GET',
    path: '/workflows/{workflow_label}/durations',
    summary: 'Read how long experiments stay in each state',
    description:
      'A stay begins with the action that enters the state and ends with the next move or correction, also one to the same ' +
      'state. A retry continues it. Stays that ended in the period count with their whole length. Those that have not ended ' +
      `do not count. For each state, at most the ${maxStays} most recent stays of all cohorts are considered.`,
    access: signedIn,
    params: v.closed({ workflow_label: v.LabelInPath }),
    query: v.closed({
      from: Type.Optional({
        ...v.Time,
        description: 'Only stays that ended at this time or later. Default: 90 days before `to`.',
      }),
      to: Type.Optional({ ...v.Time, description: 'Only stays that ended before this time. Default: now.' }),
    }),
    response: WorkflowDurations,
    statuses: { 200: 'The durations.', 404: 'No workflow has this label.' },
    example: {
      response: {
        workflow: workflowExample,
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-04-01T00:00:00.000Z',
        states: [
          {
            state: { id: 3, label: 'arrived', uri: '/api/v2/states/3' },
            stays: 41,
            median_seconds: 240,
            p90_seconds: 1310.25,
            more: false,
            cohorts: [
              {
                cohort: { id: 7, label: 'memory-clinic', uri: '/api/v2/cohorts/7' },
                stays: 41,
                median_seconds: 240,
                p90_seconds: 1310.25,
              },
            ],
          },
        ],
      },
    },
  },
});
