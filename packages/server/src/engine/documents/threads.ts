/**
 * Worker threads, which rest between two pieces of work: to start one takes longer than most of what they are given. A thread
 * that nobody needs for a while ends, as does the one that rested longest where too many rest.
 */
import { Worker } from 'node:worker_threads';

const largestMb = 256;
const mostResting = 2;
const longestRestMs = 30_000;

interface Resting {
  href: string;
  worker: Worker;
  end: NodeJS.Timeout;
}

const resting: Resting[] = [];

export function takeThread(file: URL): Worker {
  const rested = resting.find(({ href }) => href === file.href);
  if (!rested) return startThread(file);
  wake(rested.worker);
  rested.worker.ref();
  return rested.worker;
}

function startThread(file: URL): Worker {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: largestMb } });
  // Whoever gave it work hears of the fault. While it rests nobody does, and it is simply gone.
  worker.on('error', () => wake(worker));
  worker.on('exit', () => wake(worker));
  return worker;
}

/** It holds up the end of the process no longer. */
export function restThread(file: URL, worker: Worker): void {
  worker.unref();
  const end = setTimeout(() => void endThread(worker), longestRestMs).unref();
  resting.push({ href: file.href, worker, end });
  if (resting.length > mostResting && resting[0]) void endThread(resting[0].worker);
}

export function endThread(worker: Worker): Promise<unknown> {
  wake(worker);
  return worker.terminate();
}

function wake(worker: Worker): void {
  const index = resting.findIndex((rested) => rested.worker === worker);
  if (index < 0) return;
  clearTimeout(resting[index]?.end);
  resting.splice(index, 1);
}
