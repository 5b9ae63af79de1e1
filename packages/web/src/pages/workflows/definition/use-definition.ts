import { skipToken, useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery, type BodyOf, type Touches } from '../../../api/operation-query.ts';

export type Definition = BodyOf<'getWorkflowDefinition'>;
export type Revision = BodyOf<'listWorkflowRevisions'>['revisions'][number];

const touchesWorkflow =
  (id: number): Touches =>
  ({ object_kind, object_id }) =>
    object_kind === 'workflow' && object_id === id;

export const workflowQuery = (id: number) => operationQuery('getWorkflow', { params: { id } }, touchesWorkflow(id));

/** The current file of a workflow. */
export const currentQuery = (id: number, label: string) =>
  operationQuery('getWorkflowDefinition', { params: { workflow_label: label } }, touchesWorkflow(id));

/** The file of a revision, which never changes. */
const revisionQuery = (label: string, revision: number) =>
  operationQuery('getWorkflowDefinition', { params: { workflow_label: label }, query: { revision } }, noEvents);

export function useRevision(label: string, revision: number | undefined) {
  const query = revisionQuery(label, revision ?? 0);
  return useQuery({ ...query, queryFn: revision === undefined || revision < 1 ? skipToken : query.queryFn });
}

/** Revisions from `first` to the current one, which is part of the key, so that a new one is read. */
export const useRevisions = (label: string, { first, last }: { first: number; last: number }) =>
  useQuery(
    operationQuery(
      'listWorkflowRevisions',
      { params: { workflow_label: label }, query: { after: first - 1, limit: last - first + 1 } },
      noEvents,
    ),
  );
