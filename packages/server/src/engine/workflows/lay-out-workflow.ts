/**
 * Computes and stores the layout of a workflow's graph in a worker thread (docs/decisions/0015). This happens after the import,
 * so that a slow layout does not delay the response.
 */
import { allowLongStatements, type Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { findGraph, listWithoutLayout, updateLayout } from '../../store/workflows/import-definition.ts';
import type { Place } from './lay-out-graph.ts';
import { runInThread, threadFile } from '../threads/run-in-thread.ts';

const thread = threadFile('lay-out-graph-thread', import.meta.url);

/** Stores nothing if a newer revision exists, which gets its own layout. */
export async function layOutWorkflow(db: Db, { id, revision }: { id: number; revision: number }): Promise<void> {
  const graph = await findGraph(db, id);
  const states = graph && (await runInThread<Place[]>(thread, graph));
  if (!states) return;
  await inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    await updateLayout(tx, id, revision, { states });
  });
}

/** Computes missing layouts, for example after a process ended between an import and its layout. */
export async function layOutUndrawn(db: Db): Promise<void> {
  for (const workflow of await listWithoutLayout(db)) await layOutWorkflow(db, workflow);
}
