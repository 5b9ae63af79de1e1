/** Workflows with their numbers. */
import type { workflowOverviewOperations, WorkflowNumbers as Shown } from '@milepost/api';
import type { Static } from 'typebox';
import type { Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { readWorkflowNumbers, type WorkflowNumbers } from '../../store/screens/workflow-numbers.ts';
import { listWorkflows } from '../../store/workflows/workflows.ts';
import { showRevision } from '../workflows/definitions.ts';
import { showProgress } from './progress.ts';

const defaultWorkflows = 50;

export const workflowOverviewHandlers: Handlers<typeof workflowOverviewOperations> = {
  async listWorkflowRows({ database, account, query, links }) {
    const { rows, next } = await listWorkflows(database, { ...query, limit: query.limit ?? defaultWorkflows });
    const shown = Array.isArray(rows) ? rows : [];
    const numbers = await readWorkflowNumbers(
      database.db,
      account.scope,
      shown.map(({ id }) => id),
    );
    const labels = new Map(shown.map(({ id, label }) => [id, label]));
    const workflows = numbers.map((found) => showNumbers(links, labels.get(found.id) ?? '', found));
    return { status: 200, body: { workflows }, next };
  },
};

const showNumbers = (links: Links, label: string, numbers: WorkflowNumbers): Static<typeof Shown> => ({
  ...links.ref('workflows', { id: numbers.id, label }),
  web_uri: links.webUri('workflows', numbers.id),
  current: showRevision({ ...numbers, id: numbers.revision, created_at: numbers.revised_at }),
  ...showProgress(numbers),
});
