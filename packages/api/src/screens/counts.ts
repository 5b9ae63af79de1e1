/** The number of experiments in each state, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { workflowExample } from '../workflows/workflows.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const StateCounts = v.resource('StateCounts', 'The number of experiments in a state.', {
  state: v.Ref,
  experiments: count('All experiments in the state.'),
  failed: count('Those with an open incident of the kind `failed`.'),
  timed_out: count('Those with an open incident of the kind `timed_out`.'),
  running: count('Those whose callbacks run, or will run without a user.'),
  retrying: count('Those with a run that failed and is retried automatically. They are also counted as `running`.'),
  waiting: count('Those with a callback that waits for a report.'),
  waiting_overdue: count('Those whose callback has waited for more than 24 hours, without snoozed ones.'),
  decide: count('Those that wait for the decision of a user, without snoozed ones.'),
  decide_overdue: count('Those whose decision is overdue.'),
  undecided: count(
    'Those that only users can move, in a state for which the workflow file does not say whether they must decide.',
  ),
  blocked: count('Those with an open incident of the kind `brake` or `no_way_on`.'),
  attention: count(
    'Those that need attention: with an open incident, an overdue wait, or a decision to make. Without snoozed ones.',
  ),
});

export const WorkflowCounts = v.resource('WorkflowCounts', 'The number of experiments in each state of a workflow.', {
  workflow: v.Ref,
  cohort_id: v.nullable(v.Id),
  states: Type.Array(StateCounts, {
    description: 'In the order of the definition. Includes retired states only if they contain experiments.',
  }),
  experiments: count('The total of all states.'),
});

const stateExample = (id: number, label: string) => ({ id, label, uri: `/api/v2/states/${id}` });

const none = { running: 0, retrying: 0, waiting_overdue: 0, decide: 0, decide_overdue: 0, undecided: 0, attention: 0 };

export const countOperations = defineOperations({
  getWorkflowCounts: {
    method: 'GET',
    path: '/workflows/{id}/counts',
    summary: 'Count the experiments in each state of a workflow',
    description:
      'The counts are exact and from one snapshot. The response time does not depend on the number of experiments.',
    access: signedIn,
    params: v.ById,
    query: v.closed({ cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }) }),
    response: WorkflowCounts,
    statuses: {
      200: 'The counts.',
      400: 'The request is invalid, or the cohort does not exist.',
      404: 'No workflow has this id.',
    },
    example: {
      response: {
        workflow: workflowExample,
        cohort_id: null,
        states: [
          {
            state: stateExample(3, 'arrived'),
            experiments: 41,
            failed: 2,
            timed_out: 0,
            waiting: 3,
            ...none,
            running: 35,
            blocked: 1,
            attention: 3,
          },
          {
            state: stateExample(4, 'processed'),
            experiments: 160,
            failed: 0,
            timed_out: 0,
            waiting: 0,
            ...none,
            blocked: 0,
          },
        ],
        experiments: 201,
      },
    },
  },
});
