/**
 * Work that would hold up other requests runs in a worker thread of its own, within bounds of time and memory, and few of
 * them at once (the threads: answer-each.ts).
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { setInterval } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Problem } from '../../errors.ts';
import { takeTurns } from '../../take-turns.ts';
import { endThread, restThread, takeThread } from './threads.ts';

export interface Bounds {
  /** Of a core's time: where others keep the cores busy, the same work takes longer by the clock and is no larger. */
  workMs: number;
  waitMs: number;
}

const usual: Bounds = { workMs: 10_000, waitMs: 60_000 };
const lookEveryMs = 100;

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
export const runInThread = <A>(file: URL, input: unknown, bounds = usual): Promise<A | undefined> =>
  inTurn(async () => {
    const worker = takeThread(file);
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
  const before = await workOf(worker);
  const over = new AbortController();
  worker.postMessage(input);
  try {
    return await Promise.race([
      once(worker, 'message', over).then(([answer]) => answer as A),
      once(worker, 'exit', over).then(([code]) => Promise.reject(new Error(`a thread ended with ${code}`))),
      outOfBounds(worker, { ...bounds, workMs: before + bounds.workMs }, over),
    ]);
  } finally {
    over.abort();
  }
}

async function outOfBounds(worker: Worker, bounds: Bounds, { signal }: AbortController): Promise<never> {
  const started = performance.now();
  for await (const _ of setInterval(lookEveryMs, undefined, { signal })) {
    if ((await workOf(worker)) > bounds.workMs) throw tooMuchWork;
    if (performance.now() - started > bounds.waitMs) break;
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
