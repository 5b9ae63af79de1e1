/** The transitions of corrections: real rows that are not listed or offered (rule 9). */
import { sql } from 'kysely';
import type { Db } from '../../database/connection.ts';

/** Creates the transition when it is first needed. */
export async function getCorrection(
  db: Db,
  workflowId: number,
  sourceId: number,
  destinationId: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with created as (
      insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
      values (${workflowId}, 'correction', ${sourceId}, ${destinationId})
      on conflict on constraint transitions_identity_unique do nothing
      returning transitions.id
    )
    select created.id from created
    union all
    select transitions.id from transitions
    where transitions.kind = 'correction' and transitions.source_state_id = ${sourceId}
      and transitions.destination_state_id = ${destinationId}
    limit 1`.execute(db);
  const [row] = rows;
  // Another transaction created it during this statement, which could neither insert nor see it. The next one sees it.
  return row ? row.id : getCorrection(db, workflowId, sourceId, destinationId);
}
