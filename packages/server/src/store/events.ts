/** What happened, for those who follow along. An event is inserted by the transaction that causes it. */
import type { Tx } from '../database/connection.ts';

export interface Event {
  /** The operation's name, or the rule's. */
  kind: string;
  objectKind: string;
  objectId: number;
  /** Of study data: whose rights decide who may see the event. */
  cohortId?: number;
  data?: object;
}

/** The row of an event, for the move's single statement as well. */
export const eventRow = (event: Event) => ({
  kind: event.kind,
  object_kind: event.objectKind,
  object_id: event.objectId,
  cohort_id: event.cohortId ?? null,
  data: JSON.stringify(event.data ?? {}),
});

export async function appendEvent(tx: Tx, event: Event): Promise<void> {
  await tx.insertInto('events').values(eventRow(event)).execute();
}
