/**
 * Computes where the states of a workflow stand in its picture, and stores it, after the import and never in its request:
 * a picture may be late, an import may not. In a worker thread, within bounds (docs/decisions/0015).
 */
import { allowLongStatements, type Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { findGraph, listUndrawn, updateLayout } from '../../store/definitions.ts';
import type { Place } from './layout-graph.ts';
import { runInThread, threadFile } from '../documents/run-in-thread.ts';

const thread = threadFile('layout-graph-thread', import.meta.url);

/** An import that came meanwhile has its own: then nothing is stored. */
export async function layOutWorkflow(db: Db, { id, revision }: { id: number; revision: number }): Promise<void> {
  const graph = await findGraph(db, id);
  const states = graph && (await runInThread<Place[]>(thread, graph));
  if (!states) return;
  await inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    await updateLayout(tx, id, revision, { states });
  });
}

/** Draws what a process left undrawn that ended after its import. */
export async function layOutUndrawn(db: Db): Promise<void> {
  for (const workflow of await listUndrawn(db)) await layOutWorkflow(db, workflow);
}
