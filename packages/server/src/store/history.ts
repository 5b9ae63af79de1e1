/**
 * The append-only history. Every write appends to it in its own transaction; the application's database role can
 * neither change nor remove what is there.
 */
import type { Tx } from '../database/connection.ts';

/** Who changes something, and in which request. */
export interface Author {
  /** operator: the command line or the first start. */
  kind: 'user' | 'execution' | 'engine' | 'operator';
  id: number | null;
  requestId: string | null;
  /** The operation's name in the table, or the rule's for what the system does by itself. */
  operation: string;
}

export interface HistoryEntry {
  objectKind: string;
  objectId: number;
  /** The values that the change replaced: null for a creation. */
  before: object | null;
  /** The values that it wrote: null for a removal. */
  after: object | null;
  reason?: string;
}

/** The row of an entry. The move's single statement inserts the same row as part of itself. */
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

export async function appendHistory(tx: Tx, author: Author, entry: HistoryEntry): Promise<void> {
  await tx.insertInto('history').values(historyRow(author, entry)).execute();
}
