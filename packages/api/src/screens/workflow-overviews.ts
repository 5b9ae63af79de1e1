/** Workflows with their numbers. */
import { defineOperations } from '../operation.ts';
import { signedIn } from '../permission.ts';
import * as v from '../values.ts';
import { revisionFields } from '../workflows/definitions.ts';
import { progressFields } from './progress.ts';

export const WorkflowNumbers = v.resource('WorkflowNumbers', 'A workflow with its numbers.', {
  ...v.Ref.properties,
  web_uri: v.WebUri,
  current: v.closed(revisionFields, { description: 'The current revision.' }),
  ...progressFields,
});

const workflow = {
  id: 1,
  label: 'brain_mri',
  uri: '/api/v2/workflows/1',
  web_uri: 'https://milepost.example.org/workflows/1',
  current: { revision: 3, created_at: '2026-02-16T10:51:12.400Z', author: { id: 5, name: 'J. Jansen' } },
  experiments: 1114,
  progress: [
    { part: 'good' as const, title: 'Accepted', experiments: 812 },
    { part: 'active' as const, title: null, experiments: 302 },
  ],
  last_activity: '2026-11-15T08:30:00.000Z',
};

export const workflowOverviewOperations = defineOperations({
  listWorkflowRows: {
    method: 'GET',
    path: '/workflow_rows',
    summary: 'List workflows with their numbers',
    description:
      'The workflows, ordered by id, each with its current revision and the numbers of its experiments in the cohorts that you can ' +
      'read. The counts are exact. The response time depends on the number of experiments that need attention, not on that of all.',
    access: signedIn,
    query: v.closed(v.screenPage(50)),
    response: v.listOf('workflows', WorkflowNumbers),
    statuses: { 200: 'The workflows.' },
    example: { response: { workflows: [workflow] } },
  },
});
