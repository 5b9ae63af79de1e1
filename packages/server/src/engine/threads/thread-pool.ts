/**
 * A pool of worker threads. Starting a thread takes longer than most tasks, so threads stay idle between tasks. An idle thread
 * ends after a while, or when its place is needed for another file.
 */
import { Worker } from 'node:worker_threads';

/** Busy and idle threads of the process together, because they share its cores and memory. */
export const maxThreads = 2;
/**
 * The young generation is small because all of it can be promoted at once. If that takes more than the 16 MB that Node leaves
 * beyond the limit, V8 ends the process instead of the thread.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };
const maxIdleMs = 30_000;

interface IdleThread {
  href: string;
  worker: Worker;
  timeout: NodeJS.Timeout;
}

const idle: IdleThread[] = [];
let alive = 0;

/** The caller limits how many threads are busy at once. */
export async function acquireThread(file: URL): Promise<Worker> {
  // The most recently used one, so that surplus threads stay idle and end.
  const found = idle.findLast(({ href }) => href === file.href)?.worker;
  if (!found) return startThread(file);
  removeIdle(found);
  found.ref();
  return found;
}

async function startThread(file: URL): Promise<Worker> {
  if (alive >= maxThreads && idle[0]) await endThread(idle[0].worker);
  const worker = new Worker(file, { resourceLimits });
  alive += 1;
  worker.on('exit', () => {
    alive -= 1;
    removeIdle(worker);
  });
  // The caller of a task listens for its errors. An idle thread that fails simply ends.
  worker.on('error', () => undefined);
  return worker;
}

/** Makes the thread idle. It no longer keeps the process alive. A thread that has ended is not kept. */
export function releaseThread(file: URL, worker: Worker): void {
  if (worker.threadId === endedThreadId) return;
  worker.unref();
  const timeout = setTimeout(() => void endThread(worker), maxIdleMs).unref();
  idle.push({ href: file.href, worker, timeout });
}

const endedThreadId = -1;

export function endThread(worker: Worker): Promise<unknown> {
  removeIdle(worker);
  return worker.terminate();
}

function removeIdle(worker: Worker): void {
  const index = idle.findIndex((one) => one.worker === worker);
  if (index < 0) return;
  clearTimeout(idle[index]?.timeout);
  idle.splice(index, 1);
}
