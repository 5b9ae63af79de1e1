/** The limits of work in a thread. They count its CPU time, not how long a busy machine makes it wait. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { runInThread } from './run-in-thread.ts';
import { acquireThread, endThread, releaseThread } from './thread-pool.ts';

const thread = (code: string) =>
  new URL(
    `data:text/javascript,import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (input) => { ${encodeURIComponent(code)} });`,
  );

/** Longer than any test takes on a slow machine. */
const never = 3_600_000;
const respond = "parentPort.postMessage('done');";
/** Runs the thread once without work, so that the test does not measure its start. */
const started = async (code: string) => {
  const file = thread(`if (input === 'begin') { ${code} } ${respond}`);
  await runInThread(file, {}, { cpuMs: never, waitMs: never });
  return file;
};
const waitsFor = (milliseconds: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`;
const worksFor = (milliseconds: number) =>
  `const worked = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  const end = worked() + ${milliseconds}; while (worked() < end);`;

/** Returns the result of the work and the threads that it started. */
async function startedBy<T>(work: () => Promise<T>): Promise<[result: T, workers: Worker[]]> {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  const result = await work();
  process.off('worker', note);
  return [result, workers];
}

describe('runInThread', () => {
  it('stops work that exceeds its CPU time (V15.2.2)', async () => {
    expect(await runInThread(thread('for (;;);'), {}, { cpuMs: 300, waitMs: never })).toBeUndefined();
  });

  const tooLarge = thread('const held = []; for (;;) held.push(Array.from({ length: 100_000 }, () => ({})));');
  const runTooLarge = () => runInThread(tooLarge, {}, { cpuMs: never, waitMs: never });

  it('stops work that uses too much memory, and the process survives', async () => {
    expect(await runTooLarge()).toBeUndefined();
  });

  it('limits the young generation to less than 16 MB, beyond which V8 could end the process instead of the thread', async () => {
    const worker = await acquireThread(tooLarge);
    expect(worker.resourceLimits?.maxYoungGenerationSizeMb).toBeLessThan(16);
    await endThread(worker);
  });

  it('stops work that uses too much memory, ten times in a row', { tags: ['nightly'] }, async () => {
    for (let times = 0; times < 10; times++) expect(await runTooLarge()).toBeUndefined();
  });

  it('does not count waiting as CPU time', async () => {
    const file = await started(waitsFor(800));
    expect(await runInThread(file, 'begin', { cpuMs: 400, waitMs: never })).toBe('done');
  });

  it('throws busy if the work does not finish in time', async () => {
    const rejected = runInThread(thread(waitsFor(never)), {}, { cpuMs: never, waitMs: 300 });
    await expect(rejected).rejects.toMatchObject({ code: 'busy' });
  });
});

describe('a thread', () => {
  const reportId = thread('parentPort.postMessage(threadId);');
  const [reportId2, reportId3] = [2, 3].map((which) => thread(`parentPort.postMessage(threadId); /* ${which} */`)) as [
    URL,
    URL,
  ];
  const busyLoop = thread("if (input === 'work') for (;;); parentPort.postMessage(threadId);");
  const throwing = thread("if (input === 'throw') throw new Error('planted'); parentPort.postMessage(threadId);");

  it('is reused for the next task', async () => {
    const first = await runInThread(reportId, {});
    expect(await runInThread(reportId, {})).toBe(first);
  });

  it('runs one task at a time', async () => {
    const [one, other] = await Promise.all([runInThread(reportId, {}), runInThread(reportId, {})]);
    expect(one).not.toBe(other);
  });

  it('has the full CPU time for each task', async () => {
    const file = await started(worksFor(200));
    // Less than the CPU time of all three tasks.
    const limits = { cpuMs: 450, waitMs: never };
    for (let tasks = 0; tasks < 3; tasks++) expect(await runInThread(file, 'begin', limits)).toBe('done');
  });

  it('is not reused after it exceeded its limits', async () => {
    const first = await runInThread(busyLoop, {});
    expect(await runInThread(busyLoop, 'work', { cpuMs: 300, waitMs: never })).toBeUndefined();
    expect(await runInThread(busyLoop, {})).not.toBe(first);
  });

  it('reports its error and is not reused after it failed', async () => {
    const first = await runInThread(throwing, {});
    await expect(runInThread(throwing, 'throw')).rejects.toThrow('planted');
    expect(await runInThread(throwing, {})).not.toBe(first);
  });

  it('does not keep the process alive while it is idle', async () => {
    const module = new URL('run-in-thread.ts', import.meta.url).href;
    // A process that waited for the thread would see it end first, after 30 s of idling.
    const program = `const { runInThread } = await import(${JSON.stringify(module)});
      process.on('worker', (worker) => worker.on('exit', () => process.exit(1)));
      await runInThread(new URL(${JSON.stringify(reportId.href)}), {});`;
    const flags = ['--conditions=source', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, flags, { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('is not reused after it ended while idle', async () => {
    const [first, workers] = await startedBy(() => runInThread(reportId2, {}));
    await workers[0]?.terminate();
    expect(await runInThread(reportId2, {}, { cpuMs: never, waitMs: 300_000 })).not.toBe(first);
  });

  it('is not returned to the pool after it has ended', async () => {
    const ended = await acquireThread(reportId2);
    await endThread(ended);
    releaseThread(reportId2, ended);
    const next = await acquireThread(reportId2);
    expect(next).not.toBe(ended);
    await endThread(next);
  });

  it('ends after 30 s without a task', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [first, workers] = await startedBy(() => runInThread(reportId3, {}));
    vi.advanceTimersByTime(29_000);
    expect(await runInThread(reportId3, {})).toBe(first);
    vi.advanceTimersByTime(29_000);
    expect(workers.map(({ threadId }) => threadId)).toEqual([first]);
    vi.advanceTimersByTime(2_000);
    vi.useRealTimers();
    await expect.poll(() => workers.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  it('is not started while two other threads exist', async () => {
    const files = Array.from({ length: 4 }, (_, index) => thread(`parentPort.postMessage(${index});`));
    let [now, max] = [0, 0];
    const count = (worker: Worker) => {
      max = Math.max(max, ++now);
      worker.once('exit', () => now--);
    };
    process.on('worker', count);
    expect(await Promise.all(files.map((file) => runInThread(file, {})))).toEqual([0, 1, 2, 3]);
    for (const [index, file] of files.entries()) expect(await runInThread(file, {})).toBe(index);
    process.off('worker', count);
    expect(max).toBe(2);
  });
});
