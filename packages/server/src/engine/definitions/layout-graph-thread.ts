/** The thread of lay-out-workflow.ts: places the states of one workflow and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { layOutGraph, type Graph } from './layout-graph.ts';

const niceMs = 2000;
const started = performance.now();
parentPort?.postMessage(layOutGraph(workerData as Graph, () => performance.now() - started > niceMs));
