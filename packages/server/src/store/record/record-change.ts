/** Records a change in the history and as an event, in the transaction of the change. */
import type { Tx } from '../../database/connection.ts';
import { appendEvents } from './events.ts';
import { appendHistory, type Author, type HistoryEntry } from './history.ts';

export interface Change extends HistoryEntry {
  /** For study data: the cohort it belongs to. */
  cohortId?: number;
  /** More data for the event, such as the experiment that the object belongs to. */
  data?: object;
}

export const recordChange = (tx: Tx, author: Author, change: Change): Promise<void> =>
  recordChanges(tx, author, [change]);

export async function recordChanges(tx: Tx, author: Author, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  await appendHistory(tx, author, changes);
  await appendEvents(
    tx,
    changes.map((change) => ({
      kind: author.operation,
      objectKind: change.objectKind,
      objectId: change.objectId,
      ...(change.cohortId === undefined ? {} : { cohortId: change.cohortId }),
      ...(change.data === undefined ? {} : { data: change.data }),
    })),
  );
}

/** The values of `wanted` that differ from the stored ones. Undefined if there are none. */
export function differing<T extends object>(
  stored: T,
  wanted: { [K in keyof T]?: T[K] | undefined },
): Partial<T> | undefined {
  const changes = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== stored[name as keyof T],
  );
  return changes.length === 0 ? undefined : (Object.fromEntries(changes) as Partial<T>);
}
