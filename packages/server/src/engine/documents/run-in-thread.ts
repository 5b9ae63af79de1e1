/**
 * Work that would hold up other requests runs in a worker thread of its own, within bounds of time and memory, and few of
 * them at once. The thread gets its input as `workerData` and posts one message, its answer.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Problem } from '../../errors.ts';
import { takeTurns } from '../../take-turns.ts';

export interface Bounds {
  /** Of a core's time: where others keep the cores busy, the same work takes longer by the clock and is no larger. */
  workMs: number;
  waitMs: number;
}

const usual: Bounds = { workMs: 10_000, waitMs: 60_000 };
const lookEveryMs = 100;
const largestMb = 256;

/** The file beside the one that asks. Built code has another ending than its source. */
export const threadFile = (name: string, beside: string): URL => new URL(`./${name}${extname(beside)}`, beside);

/** Of the process: what a thread takes of cores and memory it takes from everybody, whoever asked for it. */
const inTurn = takeTurns({
  atOnce: 2,
  waiting: 30,
  refusal: 'Too many large texts are being read at this moment. Nothing was saved; try again shortly.',
});

/**
 * Undefined where the work took too much time or memory, of which waiting for a turn is no part. Throws where the machine is
 * too busy to say, or too many wait.
 */
export const runInThread = <A>(file: URL, workerData: unknown, bounds = usual): Promise<A | undefined> =>
  inTurn(async () => {
    const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: largestMb } });
    try {
      return await answerOf<A>(worker, file, bounds);
    } finally {
      // The turn is over when the thread is.
      await worker.terminate();
    }
  });

const answerOf = <A>(worker: Worker, file: URL, bounds: Bounds): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const look = async () => {
      if ((await workOf(worker)) > bounds.workMs) resolve(undefined);
      if (performance.now() - started > bounds.waitMs) reject(tooBusy());
    };
    const timer = setInterval(() => void look(), lookEveryMs);
    worker.once('message', resolve);
    worker.once('error', (error) =>
      'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(undefined) : reject(error),
    );
    worker.once('exit', (code) => reject(new Error(`the thread ${file.pathname} ended with ${code}`)));
    worker.once('exit', () => clearInterval(timer));
  });

/** One that has ended has done its work. */
async function workOf(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (used.user + used.system) / 1000;
}

const tooBusy = () =>
  new Problem('busy', 'The server is too busy to read this now. Nothing was saved; try again.', {
    retryAfterSeconds: 5,
  });
