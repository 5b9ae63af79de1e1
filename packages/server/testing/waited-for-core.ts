/**
 * How long a process waited for a core that others had while something went on, as Linux counts it: its main thread, and those
 * threads that were started meanwhile, one of which does the work while the main thread sleeps. They come and go, so their
 * counts are read again and again. Elsewhere than on Linux it is 0.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 20;

async function waitsOf(pid: number): Promise<Map<string, number>> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const waits = threads.map(async (thread): Promise<[string, number]> => {
    // One that has just ended has no count any more: what was read before stays.
    const counts = await readFile(`${folder}/${thread}/schedstat`, 'utf8').catch(() => '0 0');
    return [thread, Number(counts.split(' ')[1]) / 1e6];
  });
  return new Map(await Promise.all(waits));
}

export async function waitedForCore<Result>(pid: number, work: () => Promise<Result>) {
  const before = await waitsOf(pid);
  const waited = new Map<string, number>();
  const look = async () => {
    for (const [thread, ms] of await waitsOf(pid)) {
      if (before.has(thread) && thread !== String(pid)) continue;
      waited.set(thread, Math.max(waited.get(thread) ?? 0, ms - (before.get(thread) ?? 0)));
    }
  };
  const running = work();
  const ended = running.then(() => true);
  while (!(await Promise.race([ended, sleep(everyMs)]))) await look();
  await look();
  return { result: await running, waitedMs: [...waited.values()].reduce((sum, ms) => sum + ms, 0) };
}
