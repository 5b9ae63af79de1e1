/**
 * YAML from people: parsed and held against a schema, every fault at once with line and column. A large document takes
 * long enough to hold up other requests, so it is read in a worker thread.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TSchema } from 'typebox';
import { parseYaml, refused, type YamlDocument } from './parse-yaml.ts';

/** Built code has another ending than its source. */
const threadFile = new URL(`./parse-yaml-thread${extname(import.meta.url)}`, import.meta.url);
const largestInline = 8 * 1024;
const longestMs = 10_000;

/** `pointer` is where the text itself stands in the body. */
export async function readYaml(text: string, schema: TSchema, pointer: string): Promise<YamlDocument> {
  return text.length <= largestInline ? parseYaml(text, schema, pointer) : parseInThread(text, schema, pointer);
}

function parseInThread(text: string, schema: TSchema, pointer: string): Promise<YamlDocument> {
  const plainSchema: unknown = JSON.parse(JSON.stringify(schema));
  const worker = new Worker(threadFile, {
    workerData: { text, schema: plainSchema, pointer },
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const read = new Promise<YamlDocument>((resolve, reject) => {
    const giveUp = () =>
      resolve(refused([{ pointer, detail: 'The text takes too much time or memory to read: split it.' }]));
    const timer = setTimeout(giveUp, longestMs);
    worker.once('message', resolve);
    worker.once('error', (error) =>
      'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? giveUp() : reject(error),
    );
    worker.once('exit', (code) => reject(new Error(`the thread that reads YAML ended with ${code}`)));
    worker.once('exit', () => clearTimeout(timer));
  });
  return read.finally(() => void worker.terminate());
}
