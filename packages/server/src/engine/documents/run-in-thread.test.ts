/** The bounds of work in a thread: what it does counts, not how long a busy machine makes it wait. */
import { expect, it } from 'vitest';
import { runInThread } from './run-in-thread.ts';

const thread = (code: string) =>
  new URL(`data:text/javascript,import { parentPort } from 'node:worker_threads';${encodeURIComponent(code)}`);

const answers = "parentPort.postMessage('answered');";
const waitsFor = (milliseconds: number) =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds});`;

it('is given up where it works for too long (V15.2.2)', async () => {
  expect(await runInThread(thread('for (;;);'), {}, { workMs: 300, waitMs: 60_000 })).toBeUndefined();
});

it('is given up where it takes too much memory', async () => {
  const grows = 'const held = []; for (;;) held.push(Array.from({ length: 100_000 }, () => ({})));';
  expect(await runInThread(thread(grows), {})).toBeUndefined();
});

it('may take longer by the clock than it works', async () => {
  const bounds = { workMs: 1000, waitMs: 60_000 };
  expect(await runInThread(thread(waitsFor(1500) + answers), {}, bounds)).toBe('answered');
});

it('is refused as busy, to be tried again, where it does not come to an end by the clock', async () => {
  const refused = runInThread(thread(waitsFor(20_000) + answers), {}, { workMs: 10_000, waitMs: 500 });
  await expect(refused).rejects.toMatchObject({ code: 'busy' });
});
