import { operationQuery } from '../api/operation-query.ts';

export const workflowsQuery = operationQuery('listWorkflows', {}, ({ object_kind }) => object_kind === 'workflow');
