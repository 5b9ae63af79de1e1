/**
 * Work that would hold up other requests runs in a worker thread of its own, within bounds of time and memory. The thread
 * gets its input as `workerData` and posts one message, its answer.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

const longestMs = 10_000;
const largestMb = 256;

/** The file beside the one that asks. Built code has another ending than its source. */
export const threadFile = (name: string, beside: string): URL => new URL(`./${name}${extname(beside)}`, beside);

/** Undefined where the work took too much time or memory. */
export function runInThread<A>(file: URL, workerData: unknown): Promise<A | undefined> {
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: largestMb } });
  const answered = new Promise<A | undefined>((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), longestMs);
    worker.once('message', resolve);
    worker.once('error', (error) =>
      'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(undefined) : reject(error),
    );
    worker.once('exit', (code) => reject(new Error(`the thread ${file.pathname} ended with ${code}`)));
    worker.once('exit', () => clearTimeout(timer));
  });
  return answered.finally(() => void worker.terminate());
}
