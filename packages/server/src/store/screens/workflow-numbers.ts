/** The numbers of workflows: experiments by state, in the cohorts of a scope. */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inScope, type Scope } from '../scope.ts';
import { needingAttention, type Within } from './needing-attention.ts';
import { inStates, numbers, type Numbers } from './state-numbers.ts';

export interface WorkflowNumbers extends Numbers {
  revision: number;
  revised_at: string;
  author_id: number | null;
  author_name: string | null;
}

/** In the order of the ids. One statement, so that all numbers are of one moment. */
export async function readWorkflowNumbers(db: Db, scope: Scope, ids: readonly number[]): Promise<WorkflowNumbers[]> {
  const chosen = sql`${[...ids]}::bigint[]`;
  const { rows } = await sql<WorkflowNumbers>`
    with of_workflows as materialized (
      select states.id from states where states.workflow_id = any(${chosen})
    ), ${needingAttention((row) => inScope(scope, `${row}.cohort_id`))}, ${inStates('workflow_id', ofWorkflows(scope))}
    select page.id, workflows.revision, revisions.created_at as revised_at, revisions.author_id,
      coalesce(nullif(users.name, ''), users.username) as author_name, ${numbers}
    from unnest(${chosen}) with ordinality as page (id, place)
    join workflows on workflows.id = page.id
    join workflow_revisions as revisions on revisions.workflow_id = page.id and revisions.revision = workflows.revision
    left join users on users.id = revisions.author_id
    order by page.place`.execute(db);
  return rows;
}

const ofWorkflows =
  (scope: Scope): Within =>
  (counts) =>
    sql<boolean>`${sql.ref(`${counts}.state_id`)} in (select of_workflows.id from of_workflows)
      and ${inScope(scope, `${counts}.cohort_id`)}`;
