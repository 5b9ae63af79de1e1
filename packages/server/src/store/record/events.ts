/** Events for clients that follow changes. The transaction that makes a change inserts its event. */
import type { Tx } from '../../database/connection.ts';

export interface Event {
  /** The name of the operation or of the engine rule. */
  kind: string;
  objectKind: string;
  objectId: number;
  /** For study data: only users with access to this cohort get the event. */
  cohortId?: number;
  data?: object;
}

/** The row of an event, also used by the single statement of a move. */
export const eventRow = (event: Event) => ({
  kind: event.kind,
  object_kind: event.objectKind,
  object_id: event.objectId,
  cohort_id: event.cohortId ?? null,
  data: JSON.stringify(event.data ?? {}),
});

export async function appendEvents(tx: Tx, events: readonly Event[]): Promise<void> {
  await tx.insertInto('events').values(events.map(eventRow)).execute();
}
