/** The thread of lay-out-workflow.ts. */
import { handleMessages } from '../threads/handle-messages.ts';
import { layOutGraph, type Graph } from './lay-out-graph.ts';

const maxSweepMs = 2000;

handleMessages((graph: Graph) => {
  const started = performance.now();
  return layOutGraph(graph, () => performance.now() - started > maxSweepMs);
});
