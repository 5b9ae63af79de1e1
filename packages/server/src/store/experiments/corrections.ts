/** The transitions of corrections: real rows that are not listed or offered (rule 9). */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';
import type { Locked } from './change/write-change.ts';

/**
 * Creates the transition when it is first needed, unless an import has locked the workflow. An import also creates such
 * transitions, and an insert of the same one would wait for it. Returns undefined if another request has just created it.
 */
export async function getCorrection(
  db: Db,
  workflowId: number,
  sourceId: number,
  destinationId: number,
): Promise<number | Locked | undefined> {
  const { rows } = await sql<{ id: number | null; shared: boolean }>`
    with workflow as (
      select workflows.id from workflows where workflows.id = ${workflowId} for key share skip locked
    ), created as (
      insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
      select workflow.id, 'correction', ${sourceId}::bigint, ${destinationId}::bigint from workflow
      on conflict on constraint transitions_identity_unique do nothing
      returning transitions.id
    )
    select exists (select from workflow) as shared, coalesce((select created.id from created), (
      select transitions.id from transitions
      where transitions.kind = 'correction' and transitions.source_state_id = ${sourceId}
        and transitions.destination_state_id = ${destinationId})) as id`.execute(db);
  const [row] = rows;
  return row?.shared ? (row.id ?? undefined) : 'locked';
}
