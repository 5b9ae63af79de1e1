/** The thread of read-yaml.ts: reads one document and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { TSchema } from 'typebox';
import { parseYaml } from './parse-yaml.ts';

const { text, schema, pointer } = workerData as { text: string; schema: TSchema; pointer: string };
parentPort?.postMessage(parseYaml(text, schema, pointer));
