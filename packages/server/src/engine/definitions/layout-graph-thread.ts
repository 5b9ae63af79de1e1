/** The thread of lay-out-workflow.ts. */
import { answerEach } from '../documents/answer-each.ts';
import { layOutGraph, type Graph } from './layout-graph.ts';

const niceMs = 2000;

answerEach((graph: Graph) => {
  const started = performance.now();
  return layOutGraph(graph, () => performance.now() - started > niceMs);
});
