/** The thread of read-definition.ts: reads one file and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readDefinitionFile } from './read-definition-file.ts';

const { text, pointer } = workerData as { text: string; pointer: string };
// As text, which is read faster than thousands of objects are cloned.
parentPort?.postMessage(JSON.stringify(readDefinitionFile(text, pointer)));
