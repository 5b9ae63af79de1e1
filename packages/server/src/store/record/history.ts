/**
 * The append-only history. Every write appends to it in the same transaction. The application's database role cannot change or
 * delete entries.
 */
import type { Tx } from '../../database/connection.ts';

/** The author of a change, and its request. */
export interface Author {
  /** `operator` is the command line or the first start. */
  kind: 'user' | 'execution' | 'engine' | 'operator';
  id: number | null;
  requestId: string | null;
  /** The name of the operation, or of the engine rule for automatic changes. */
  operation: string;
}

export interface HistoryEntry {
  objectKind: string;
  objectId: number;
  /** The replaced values. Null for a creation. */
  before: object | null;
  /** The new values. Null for a removal. */
  after: object | null;
  reason?: string;
}

/** The row of an entry, also used by the single statement of a move. */
export const historyRow = (author: Author, entry: HistoryEntry) => ({
  actor_kind: author.kind,
  actor_id: author.id,
  request_id: author.requestId,
  operation: author.operation,
  object_kind: entry.objectKind,
  object_id: entry.objectId,
  before: entry.before === null ? null : JSON.stringify(entry.before),
  after: entry.after === null ? null : JSON.stringify(entry.after),
  reason: entry.reason ?? '',
});

export async function appendHistory(tx: Tx, author: Author, entries: readonly HistoryEntry[]): Promise<void> {
  await tx
    .insertInto('history')
    .values(entries.map((entry) => historyRow(author, entry)))
    .execute();
}
