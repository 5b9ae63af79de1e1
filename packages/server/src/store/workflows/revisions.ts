/** Reads the revisions of workflows. Definitions belong to no cohort, so every user can read them. */
import { sql } from 'kysely';
import { notFound } from '../../errors.ts';
import type { Database, Db } from '../../database/connection.ts';
import { readList, type Page } from '../../database/read-list.ts';

/** `octet_length` reads no stored text. The length is in its header. */
const selectRevisions = (db: Db) =>
  db
    .selectFrom('workflow_revisions')
    .leftJoin('users', 'users.id', 'workflow_revisions.author_id')
    .select(['workflow_revisions.revision as id', 'workflow_revisions.created_at', 'workflow_revisions.author_id'])
    .select(['workflow_revisions.definition_hash as hash'])
    .select(sql<number>`octet_length(workflow_revisions.definition)`.as('size'))
    .select(sql<string | null>`coalesce(nullif(users.name, ''), users.username)`.as('author_name'));

/** The `id` of a row is the number of the revision. */
export const listRevisions = (database: Database, workflowId: number, page: Page) =>
  readList(
    database,
    selectRevisions(database.db),
    {
      id: 'workflow_revisions.revision',
      parent: { column: 'workflow_revisions.workflow_id', id: workflowId },
    },
    page,
  );

/** The current revision unless another is named. */
export const getRevision = (db: Db, workflowId: number, revision: number | undefined) =>
  selectRevisions(db)
    .select('workflow_revisions.definition')
    .where('workflow_revisions.workflow_id', '=', workflowId)
    .where(
      'workflow_revisions.revision',
      '=',
      revision ?? sql<number>`(select workflows.revision from workflows where workflows.id = ${workflowId})`,
    )
    .executeTakeFirstOrThrow(() => notFound(`revision ${revision} of this workflow`));

export type RevisionSummary = Omit<Awaited<ReturnType<typeof getRevision>>, 'definition'>;
