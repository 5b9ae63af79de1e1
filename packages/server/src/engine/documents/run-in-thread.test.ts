/** The bounds of work in a thread: what it does counts, not how long a busy machine makes it wait. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, vi } from 'vitest';
import { runInThread } from './run-in-thread.ts';
import { endThread, restThread, takeThread } from './threads.ts';

const thread = (code: string) =>
  new URL(
    `data:text/javascript,import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (input) => { ${encodeURIComponent(code)} });`,
  );

/** No slow machine reaches it. */
const never = 3_600_000;
const answers = "parentPort.postMessage('answered');";
/** Answers once without work, so that the start of the thread is no part of what is tried. */
const started = async (code: string) => {
  const file = thread(`if (input === 'begin') { ${code} } ${answers}`);
  await runInThread(file, {}, { workMs: never, waitMs: never });
  return file;
};
const waitsFor = (milliseconds: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`;
const worksFor = (milliseconds: number) =>
  `const worked = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  const end = worked() + ${milliseconds}; while (worked() < end);`;

/** What it answers, and the threads that it started. */
async function startedBy<T>(work: () => Promise<T>): Promise<[answer: T, workers: Worker[]]> {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  const answer = await work();
  process.off('worker', note);
  return [answer, workers];
}

it('is given up where it works for too long (V15.2.2)', async () => {
  expect(await runInThread(thread('for (;;);'), {}, { workMs: 300, waitMs: never })).toBeUndefined();
});

const tooLarge = thread('const held = []; for (;;) held.push(Array.from({ length: 100_000 }, () => ({})));');
const runTooLarge = () => runInThread(tooLarge, {}, { workMs: never, waitMs: never });

it('is given up where it takes too much memory, and the process goes on', async () => {
  expect(await runTooLarge()).toBeUndefined();
});

it('has less than 16 MB for young objects, beyond which V8 could end the process instead of the thread', async () => {
  const worker = await takeThread(tooLarge);
  expect(worker.resourceLimits?.maxYoungGenerationSizeMb).toBeLessThan(16);
  await endThread(worker);
});

it('is given up for its memory ten times in a row', { tags: ['nightly'] }, async () => {
  for (let times = 0; times < 10; times++) expect(await runTooLarge()).toBeUndefined();
});

it('may take longer by the clock than it works', async () => {
  const file = await started(waitsFor(800));
  expect(await runInThread(file, 'begin', { workMs: 400, waitMs: never })).toBe('answered');
});

it('is refused as busy, to be tried again, where it does not come to an end by the clock', async () => {
  const refused = runInThread(thread(waitsFor(never)), {}, { workMs: never, waitMs: 300 });
  await expect(refused).rejects.toMatchObject({ code: 'busy' });
});

describe('a thread', () => {
  const tells = thread('parentPort.postMessage(threadId);');
  const [tells2, tells3] = [2, 3].map((which) => thread(`parentPort.postMessage(threadId); /* ${which} */`)) as [
    URL,
    URL,
  ];
  const works = thread("if (input === 'work') for (;;); parentPort.postMessage(threadId);");
  const throws = thread("if (input === 'throw') throw new Error('planted'); parentPort.postMessage(threadId);");

  it('does the next piece of work, too', async () => {
    const first = await runInThread(tells, {});
    expect(await runInThread(tells, {})).toBe(first);
  });

  it('does one piece at a time', async () => {
    const [one, other] = await Promise.all([runInThread(tells, {}), runInThread(tells, {})]);
    expect(one).not.toBe(other);
  });

  it('has for each piece the whole time to work', async () => {
    const file = await started(worksFor(200));
    // Less than three pieces take together.
    const bounds = { workMs: 450, waitMs: never };
    for (let pieces = 0; pieces < 3; pieces++) expect(await runInThread(file, 'begin', bounds)).toBe('answered');
  });

  it('that was given up does nothing any more', async () => {
    const first = await runInThread(works, {});
    expect(await runInThread(works, 'work', { workMs: 300, waitMs: never })).toBeUndefined();
    expect(await runInThread(works, {})).not.toBe(first);
  });

  it('that fails says why, and another does the next piece', async () => {
    const first = await runInThread(throws, {});
    await expect(runInThread(throws, 'throw')).rejects.toThrow('planted');
    expect(await runInThread(throws, {})).not.toBe(first);
  });

  it('that rests does not hold up the end of the process', async () => {
    const module = new URL('run-in-thread.ts', import.meta.url).href;
    // A process that waited for the thread would see it end first, after half a minute of rest.
    const program = `const { runInThread } = await import(${JSON.stringify(module)});
      process.on('worker', (worker) => worker.on('exit', () => process.exit(1)));
      await runInThread(new URL(${JSON.stringify(tells.href)}), {});`;
    const flags = ['--conditions=source', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, flags, { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('that ends at rest is not given work any more', async () => {
    const [first, workers] = await startedBy(() => runInThread(tells2, {}));
    await workers[0]?.terminate();
    expect(await runInThread(tells2, {}, { workMs: never, waitMs: 300_000 })).not.toBe(first);
  });

  it('that has ended is not put to rest', async () => {
    const ended = await takeThread(tells2);
    await endThread(ended);
    restThread(tells2, ended);
    const next = await takeThread(tells2);
    expect(next).not.toBe(ended);
    await endThread(next);
  });

  it('that nobody needs for half a minute ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [first, workers] = await startedBy(() => runInThread(tells3, {}));
    vi.advanceTimersByTime(29_000);
    expect(await runInThread(tells3, {})).toBe(first);
    vi.advanceTimersByTime(29_000);
    expect(workers.map(({ threadId }) => threadId)).toEqual([first]);
    vi.advanceTimersByTime(2_000);
    vi.useRealTimers();
    await expect.poll(() => workers.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  it('is one of two, whatever there is to do', async () => {
    const files = Array.from({ length: 4 }, (_, index) => thread(`parentPort.postMessage(${index});`));
    let [now, most] = [0, 0];
    const count = (worker: Worker) => {
      most = Math.max(most, ++now);
      worker.once('exit', () => now--);
    };
    process.on('worker', count);
    expect(await Promise.all(files.map((file) => runInThread(file, {})))).toEqual([0, 1, 2, 3]);
    for (const [index, file] of files.entries()) expect(await runInThread(file, {})).toBe(index);
    process.off('worker', count);
    expect(most).toBe(2);
  });
});
