/** The thread of read-definition.ts: reads one file and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readDefinitionFile } from './read-definition-file.ts';

const { text, pointer } = workerData as { text: string; pointer: string };
parentPort?.postMessage(readDefinitionFile(text, pointer));
