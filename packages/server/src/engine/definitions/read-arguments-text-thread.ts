/** The thread of read-arguments-text.ts: reads one text and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readArgumentsInline } from './read-arguments-text.ts';

const { text, pointer } = workerData as { text: string; pointer: string };
parentPort?.postMessage(readArgumentsInline(text, pointer));
