/**
 * Work that would hold up other requests runs in a worker thread, within bounds of time and memory, and few of them at once.
 * The program of a thread is a file that calls `answerEach`.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { setInterval } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Problem } from '../../errors.ts';
import { takeTurns } from '../../take-turns.ts';
import { endThread, mostThreads, restThread, takeThread } from './threads.ts';

export interface Bounds {
  /** Of a core's time: where others keep the cores busy, the same work takes longer by the clock and is no larger. */
  workMs: number;
  waitMs: number;
}

const usual: Bounds = { workMs: 10_000, waitMs: 60_000 };
const lookEveryMs = 100;

/** The file beside the one that asks. Built code has another ending than its source. */
export const threadFile = (name: string, beside: string): URL => new URL(`./${name}${extname(beside)}`, beside);

const inTurn = takeTurns({
  atOnce: mostThreads,
  waiting: 30,
  refusal: 'Too many large texts are being read at this moment. Nothing was saved; try again shortly.',
});

/**
 * Undefined where the work took too much time or memory, of which waiting for a turn is no part. Throws where the machine is
 * too busy to say, or too many wait.
 */
export const runInThread = <A>(file: URL, input: unknown, bounds = usual): Promise<A | undefined> =>
  inTurn(async () => {
    const worker = await takeThread(file);
    try {
      const answer = await answerOf<A>(worker, input, bounds);
      restThread(file, worker);
      return answer;
    } catch (error) {
      // The turn is over when the thread is.
      await endThread(worker);
      if (isTooCostly(error)) return undefined;
      throw error;
    }
  });

async function answerOf<A>(worker: Worker, input: unknown, bounds: Bounds): Promise<A> {
  const over = new AbortController();
  const { signal } = over;
  worker.postMessage(input);
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([answer]) => answer as A),
      once(worker, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`a thread ended with ${code}`))),
      outOfBounds(worker, bounds, signal),
    ]);
  } finally {
    over.abort();
  }
}

/** What the thread worked for others before is not counted. */
async function outOfBounds(worker: Worker, { workMs, waitMs }: Bounds, signal: AbortSignal): Promise<never> {
  const started = performance.now();
  const before = await workOf(worker);
  for await (const _ of setInterval(lookEveryMs, undefined, { signal })) {
    if ((await workOf(worker)) - before > workMs) throw tooMuchWork;
    if (performance.now() - started > waitMs) break;
  }
  throw tooBusy();
}

const tooMuchWork = new Error("the work took too much of a core's time");

const isTooCostly = (error: unknown) =>
  error === tooMuchWork || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

/** One that has ended has done its work. */
async function workOf(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (used.user + used.system) / 1000;
}

const tooBusy = () =>
  new Problem('busy', 'The server is too busy to read this now. Nothing was saved; try again.', {
    retryAfterSeconds: 5,
  });
