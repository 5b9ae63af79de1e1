import { useQuery } from '@tanstack/react-query';
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';

export type GraphState = BodyOf<'getWorkflowGraph'>['states'][number];
export type StateCounts = BodyOf<'getWorkflowCounts'>['states'][number];

export const workflowsQuery = operationQuery('listWorkflows', {}, ({ object_kind }) => object_kind === 'workflow');

const touchesCounts =
  (workflowId: number): Touches =>
  (event) => {
    const { experiment_id, workflow_id, object_kind } = event;
    if (changesParentOrLabel(event)) return true;
    return (
      (experiment_id !== null || object_kind === 'workflow') && (workflow_id === null || workflow_id === workflowId)
    );
  };

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
  // A pending layout takes a few seconds and emits no event.
  graph: useQuery({ ...graphQuery(id), refetchInterval: ({ state }) => state.data?.layout === 'pending' && 1000 }),
  counts: useQuery(countsQuery(id, cohortId)),
});
