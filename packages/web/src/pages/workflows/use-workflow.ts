import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';

export type GraphState = BodyOf<'getWorkflowGraph'>['states'][number];
export type StateCounts = BodyOf<'getWorkflowCounts'>['states'][number];

export type StateDurations = BodyOf<'getWorkflowDurations'>['states'][number];

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

/** By label, because digits could be the label of another workflow. */
const durationsQuery = (label: string) =>
  operationQuery('getWorkflowDurations', { params: { workflow_label: label } }, noEvents);

export function useWorkflow(id: number, cohortId: number | undefined) {
  const graph = useQuery({
    ...graphQuery(id),
    // A pending layout takes a few seconds and emits no event.
    refetchInterval: ({ state }) => state.data?.layout === 'pending' && 1000,
  });
  const label = graph.data?.workflow.label;
  // A single move hardly changes a median of 90 days, so moves do not refetch it.
  const durations = useQuery({
    ...durationsQuery(label ?? ''),
    enabled: label !== undefined,
    refetchInterval: 300_000,
  });
  return { graph, counts: useQuery(countsQuery(id, cohortId)), durations };
}
