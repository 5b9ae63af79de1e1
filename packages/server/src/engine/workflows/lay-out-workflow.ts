/**
 * Computes and stores the layout of a workflow's graph in worker threads (docs/decisions/0015, 0041). This happens after the
 * import, so that a slow layout does not delay the response.
 */
import { allowLongStatements, type Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { Problem } from '../../errors.ts';
import { findGraph, listWithoutLayout, updateLayout } from '../../store/workflows/import-definition.ts';
import type { Drawing } from './drawing.ts';
import type { Graph, Place } from './lay-out-graph.ts';
import { runInThread, threadFile } from '../threads/run-in-thread.ts';

const layersThread = threadFile('lay-out-graph-thread', import.meta.url);
const drawingThread = threadFile('draw-graph-thread', import.meta.url);

/** Returns undefined if the drawing takes too much CPU time or memory. */
type Draw = (graph: Graph) => Promise<Drawing | undefined>;

/** Graphs with more edges reached the limits of the thread, after many seconds. */
const maxEdges = 400;
const drawInThread: Draw = async (graph) =>
  graph.edges.length > maxEdges ? undefined : runInThread<Drawing>(drawingThread, graph);

/**
 * Stores nothing if a newer revision exists, which gets its own layout. If the graph cannot be drawn, only the layers are stored,
 * from which the graph is shown as a grid.
 */
export async function layOutWorkflow(
  db: Db,
  { id, revision }: { id: number; revision: number },
  draw = drawInThread,
): Promise<void> {
  const graph = await findGraph(db, id);
  const states = graph && (await runInThread<Place[]>(layersThread, graph));
  if (!states) return;
  const { drawing, error } = await drawOnce(graph, draw);
  await inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    await updateLayout(tx, id, revision, { states, drawing });
  });
  if (error) throw error;
}

/** A busy machine is asked again later. Another error would come back, so the workflow keeps its grid. */
async function drawOnce(graph: Graph, draw: Draw): Promise<{ drawing: Drawing | null; error?: Error }> {
  try {
    return { drawing: (await draw(graph)) ?? null };
  } catch (error) {
    if (error instanceof Problem) throw error;
    return { drawing: null, error: new Error('elkjs failed to draw the workflow graph', { cause: error }) };
  }
}

/** Computes missing layouts, for example after a process ended between an import and its layout. */
export async function layOutUndrawn(db: Db): Promise<void> {
  for (const workflow of await listWithoutLayout(db)) await layOutWorkflow(db, workflow);
}
