/** What the specification lacks for overviews: how many experiments are where, without listing them. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { signedIn } from './permission.ts';
import * as v from './values.ts';
import { workflowExample } from './workflows.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const StateCounts = v.resource('StateCounts', 'How many experiments are in a state, and how they fare.', {
  state: v.Ref,
  experiments: count('All that are in it.'),
  failed: count('Those with an open incident of the kind failed.'),
  timed_out: count('Those with an open incident of the kind timed_out.'),
  waiting: count('Those of which a callback waits for a report.'),
  blocked: count('Those with an open incident of the kind brake, no_way_on or unclaimed.'),
});

export const WorkflowCounts = v.resource('WorkflowCounts', 'How many experiments are in each state of a workflow.', {
  workflow: v.Ref,
  cohort_id: v.nullable(v.Id),
  states: Type.Array(StateCounts, { description: 'In definition order; retired ones only if they hold experiments.' }),
  experiments: count('The sum over the states.'),
});

const stateExample = (id: number, label: string) => ({ id, label, uri: `/api/v2/states/${id}` });

export const countOperations = defineOperations({
  getWorkflowCounts: {
    method: 'GET',
    path: '/workflows/{id}/counts',
    summary: 'Count the experiments in each state of a workflow',
    description:
      'All of one moment, and exact. It takes the same time however many experiments there are. A cohort that you cannot ' +
      'see has no experiments.',
    access: signedIn,
    params: v.ById,
    query: v.closed({ cohort_id: Type.Optional({ ...v.Id, description: 'Only experiments of this cohort.' }) }),
    response: WorkflowCounts,
    statuses: { 200: 'The counts.', 404: 'No workflow has this id.' },
    example: {
      response: {
        workflow: workflowExample,
        cohort_id: null,
        states: [
          { state: stateExample(3, 'arrived'), experiments: 41, failed: 2, timed_out: 0, waiting: 3, blocked: 1 },
          { state: stateExample(4, 'processed'), experiments: 160, failed: 0, timed_out: 0, waiting: 0, blocked: 0 },
        ],
        experiments: 201,
      },
    },
  },
});
