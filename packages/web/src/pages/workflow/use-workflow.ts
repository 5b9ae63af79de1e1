import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';

export type StateCounts = BodyOf<'getWorkflowCounts'>['states'][number];

const touchesCounts =
  (workflowId: number): Touches =>
  ({ experiment_id, workflow_id, object_kind }) =>
    (experiment_id !== null || object_kind === 'workflow') && (workflow_id === null || workflow_id === workflowId);

const touchesGraph =
  (workflowId: number): Touches =>
  ({ object_kind, object_id }) =>
    object_kind === 'workflow' && object_id === workflowId;

export const countsQuery = (id: number, cohortId?: number) =>
  operationQuery(
    'getWorkflowCounts',
    { params: { id }, query: cohortId === undefined ? {} : { cohort_id: cohortId } },
    touchesCounts(id),
  );

export const graphQuery = (id: number) => operationQuery('getWorkflowGraph', { params: { id } }, touchesGraph(id));

export const useWorkflow = (id: number, cohortId: number | undefined) => ({
  graph: useQuery(graphQuery(id)),
  counts: useQuery(countsQuery(id, cohortId)),
});
