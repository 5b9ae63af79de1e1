/** The definition of a workflow and its revisions, beyond the specification. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { workflowExample } from './workflows.ts';

/** What is known of a revision without its file. */
export const revisionFields = {
  revision: Type.Integer({ minimum: 1, description: 'The number of the revision, starting at 1.' }),
  created_at: v.Time,
  author: v.nullable({
    ...v.UserName,
    description: 'The user who created the revision. Null if it was the command line or the first start.',
  }),
};

const revision = {
  ...revisionFields,
  hash: Type.String({ description: 'The SHA-256 hash of what the file defines, without its layout and comments.' }),
  size: Type.Integer({ minimum: 0, description: 'The length of the file in bytes.' }),
};

export const WorkflowRevision = v.resource('WorkflowRevision', 'One version of a workflow.', revision);

export const WorkflowDefinition = v.resource('WorkflowDefinition', 'The file that defines a workflow.', {
  workflow: v.Ref,
  ...revision,
  definition: Type.String({ description: 'The file, YAML or JSON, as it was imported.' }),
});

const revisionExample = {
  revision: 3,
  created_at: '2026-02-16T10:51:12.400Z',
  author: { id: 5, name: 'J. Jansen' },
  hash: '4f1c0d4c1b0f7d1e0f6a5b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e',
  size: 61,
};
const ByWorkflow = v.closed({ workflow_label: v.LabelInPath });

export const workflowDefinitionOperations = defineOperations({
  getWorkflowDefinition: {
    method: 'GET',
    path: '/workflows/{workflow_label}/definition',
    summary: 'Read the definition of a workflow',
    description:
      'The file of the current revision, or of another one. With `Accept: application/yaml`, the response is the file ' +
      'itself. After a change of a callback, the file is written by Milepost. Write a slash in the label as `%2F`.',
    access: signedIn,
    params: ByWorkflow,
    query: v.closed({
      revision: Type.Optional({
        ...v.Id,
        maximum: 2_147_483_647,
        description: 'The number of the revision. Default: the current one.',
      }),
    }),
    response: WorkflowDefinition,
    statuses: { 200: 'The definition.', 404: 'No workflow has this label, or the workflow has no such revision.' },
    example: {
      response: {
        workflow: workflowExample,
        ...revisionExample,
        definition: 'label: brain_mri\nstates:\n  - label: arrived\n  - label: processed\n',
      },
    },
  },
  listWorkflowRevisions: {
    method: 'GET',
    path: '/workflows/{workflow_label}/revisions',
    summary: 'List the revisions of a workflow',
    description:
      'Ordered by number. `after` is the number of the last revision you read. Write a slash in the label as `%2F`.',
    access: signedIn,
    params: ByWorkflow,
    query: v.Page,
    response: v.listOf('revisions', WorkflowRevision),
    statuses: { 200: 'The revisions.', 404: 'No workflow has this label.' },
    example: { response: { revisions: [revisionExample] } },
  },
});
