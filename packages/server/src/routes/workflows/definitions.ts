/** The definition of a workflow and its revisions. */
import type { workflowDefinitionOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { getRevision, listRevisions, type RevisionSummary } from '../../store/workflows/revisions.ts';
import { listAnswer } from '../lists.ts';
import { getLabelledWorkflow } from './workflows.ts';

export const workflowDefinitionHandlers: Handlers<typeof workflowDefinitionOperations> = {
  async getWorkflowDefinition({ database: { db }, params, query, links }) {
    const workflow = await getLabelledWorkflow(db, params.workflow_label);
    const { definition, ...revision } = await getRevision(db, workflow.id, query.revision);
    const body = { workflow: links.ref('workflows', workflow), ...showWhole(revision), definition };
    // Every JSON file is YAML, too.
    return { ...ok(body), file: { type: 'application/yaml', text: definition } };
  },

  async listWorkflowRevisions({ database, params, query }) {
    const { id } = await getLabelledWorkflow(database.db, params.workflow_label);
    return listAnswer('revisions', await listRevisions(database, id, query), showWhole);
  },
};

type Summary = Pick<RevisionSummary, 'id' | 'created_at' | 'author_id' | 'author_name'>;

export const showRevision = ({ id, author_id: authorId, author_name: name, created_at }: Summary) => ({
  revision: id,
  created_at,
  author: authorId === null ? null : { id: authorId, name: name ?? '' },
});

const showWhole = (revision: RevisionSummary) => ({
  ...showRevision(revision),
  hash: revision.hash,
  size: revision.size,
});
