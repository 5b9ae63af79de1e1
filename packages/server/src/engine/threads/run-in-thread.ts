/**
 * Runs expensive work in a worker thread, within limits of CPU time, memory and concurrency, so that it does not block other
 * requests. The file of a thread calls `handleMessages`.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { setInterval } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Problem } from '../../errors.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';
import { acquireThread, endThread, maxThreads, releaseThread } from './thread-pool.ts';

export interface ThreadLimits {
  /** CPU time, which does not depend on how busy the machine is. */
  cpuMs: number;
  waitMs: number;
}

const defaults: ThreadLimits = { cpuMs: 10_000, waitMs: 60_000 };
const checkEveryMs = 100;

/** A file beside the given module. Built files have another extension than their sources. */
export const threadFile = (name: string, beside: string): URL => new URL(`./${name}${extname(beside)}`, beside);

const inTurn = limitConcurrency({
  atOnce: maxThreads,
  waiting: 30,
  refusal: 'Too many large documents are being read. Nothing was saved. Try again in 5 seconds.',
});

/**
 * Returns undefined if the work exceeds its CPU time or memory, not counting the wait for a free thread. Throws `busy` if too
 * much work is waiting or the machine is too busy to finish in time.
 */
export const runInThread = <A>(file: URL, input: unknown, limits = defaults): Promise<A | undefined> =>
  inTurn(async () => {
    const worker = await acquireThread(file);
    try {
      const response = await runTask<A>(worker, input, limits);
      releaseThread(file, worker);
      return response;
    } catch (error) {
      // The place in the pool is free only after the thread has ended.
      await endThread(worker);
      if (isTooExpensive(error)) return undefined;
      throw error;
    }
  });

async function runTask<A>(worker: Worker, input: unknown, limits: ThreadLimits): Promise<A> {
  const done = new AbortController();
  const { signal } = done;
  worker.postMessage(input);
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([response]) => response as A),
      once(worker, 'exit', { signal }).then(([code]) => Promise.reject(new Error(`thread exited with code ${code}`))),
      enforceLimits(worker, limits, signal),
    ]);
  } finally {
    done.abort();
  }
}

/** CPU time of earlier tasks in the same thread is not counted. */
async function enforceLimits(worker: Worker, { cpuMs, waitMs }: ThreadLimits, signal: AbortSignal): Promise<never> {
  const started = performance.now();
  const before = await cpuMsOf(worker);
  for await (const _ of setInterval(checkEveryMs, undefined, { signal })) {
    if ((await cpuMsOf(worker)) - before > cpuMs) throw tooMuchCpu;
    if (performance.now() - started > waitMs) break;
  }
  throw tooBusy();
}

const tooMuchCpu = new Error('the work exceeded its CPU time');

const isTooExpensive = (error: unknown) =>
  error === tooMuchCpu || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

/** A thread that has ended counts as 0. */
async function cpuMsOf(worker: Worker): Promise<number> {
  const used = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (used.user + used.system) / 1000;
}

const tooBusy = () =>
  new Problem('busy', 'The server is too busy to read this document. Nothing was saved. Try again in 5 seconds.', {
    retryAfterSeconds: 5,
  });
