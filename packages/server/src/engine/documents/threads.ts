/**
 * Worker threads, which rest between two pieces of work: to start one takes longer than most of what they are given. One that
 * nobody needs for a while ends, and so does one that stands in the way of another that is needed.
 */
import { Worker } from 'node:worker_threads';

/** Of the process, at work or at rest: what they take of cores and memory they take from everybody. */
export const mostThreads = 2;
/**
 * What is young is kept small: all of it may be moved among the old at once, and where that takes more than the 16 MB that Node leaves
 * beyond the limit, V8 ends the whole process instead of the thread.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };
const longestRestMs = 30_000;

interface Resting {
  href: string;
  worker: Worker;
  end: NodeJS.Timeout;
}

const resting: Resting[] = [];
let alive = 0;

/** For whoever is among the few that have their turn. */
export async function takeThread(file: URL): Promise<Worker> {
  // The one that came last: others, which nobody needs, rest to their end.
  const rested = resting.findLast(({ href }) => href === file.href)?.worker;
  if (!rested) return startThread(file);
  leaveRest(rested);
  rested.ref();
  return rested;
}

async function startThread(file: URL): Promise<Worker> {
  if (alive >= mostThreads && resting[0]) await endThread(resting[0].worker);
  const worker = new Worker(file, { resourceLimits });
  alive += 1;
  worker.on('exit', () => {
    alive -= 1;
    leaveRest(worker);
  });
  // Whoever gave it work hears of its faults. At rest it has none to tell: it ends, and is simply gone.
  worker.on('error', () => undefined);
  return worker;
}

/** It holds up the end of the process no longer. One that has ended with its answer is not kept. */
export function restThread(file: URL, worker: Worker): void {
  if (worker.threadId === ended) return;
  worker.unref();
  const end = setTimeout(() => void endThread(worker), longestRestMs).unref();
  resting.push({ href: file.href, worker, end });
}

const ended = -1;

export function endThread(worker: Worker): Promise<unknown> {
  leaveRest(worker);
  return worker.terminate();
}

function leaveRest(worker: Worker): void {
  const index = resting.findIndex((rested) => rested.worker === worker);
  if (index < 0) return;
  clearTimeout(resting[index]?.end);
  resting.splice(index, 1);
}
