/** Concurrent large documents: two are parsed at a time, others wait without holding a connection, and the rest are rejected. */
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { largeWorkflow } from '../../testing/rows/large-workflow.ts';
import { longestTurn } from '../../testing/measure/longest-turn.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { threadInputsDuring } from '../../testing/measure/thread-inputs.ts';
import { runInThread } from '../../src/engine/threads/run-in-thread.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const [maxThreads, maxWaiting] = [2, 30];

/** The highest number of threads at any time. */
async function peakThreads(work: () => Promise<void>): Promise<number> {
  let [now, most] = [0, 0];
  const count = (worker: Worker) => {
    most = Math.max(most, ++now);
    worker.once('exit', () => now--);
  };
  process.on('worker', count);
  await work();
  process.off('worker', count);
  return most;
}

const dryRun = (index: number) =>
  server.call('importWorkflow', {
    query: { dry_run: true },
    body: { workflow_definition: largeWorkflow(`large ${index}`) },
  });

async function dryRunConcurrently(many: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: many }, (_, index) => dryRun(index)));
  expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(200));
}

it('parses eight definitions of 200 states in threads, two at a time (V15.2.2)', async () => {
  let inputs: unknown[] = [];
  const threads = await peakThreads(async () => {
    inputs = await threadInputsDuring(() => dryRunConcurrently(8));
  });
  expect(inputs).toHaveLength(8);
  expect(threads).toBe(maxThreads);
});

it(
  'blocks the event loop for less than 100 ms at a time during twenty concurrent imports',
  { tags: ['nightly'] },
  async () => {
    expect(await longestTurn(() => dryRunConcurrently(20))).toBeLessThan(100);
  },
);

/** Occupies all threads until the returned function is called. */
function occupyThreads() {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (held) => { Atomics.wait(held, 0, 0); parentPort.postMessage('released'); });`;
  const thread = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const occupied = Promise.all(Array.from({ length: maxThreads }, () => runInThread(thread, held)));
  return async () => {
    Atomics.store(held, 0, 1);
    Atomics.notify(held, 0);
    expect(await occupied).toEqual(Array(maxThreads).fill('released'));
  };
}

it('holds no connection for thirty waiting requests, and rejects further requests with Retry-After (V2.4.1)', async () => {
  const config_definition = `${'# a long comment\n'.repeat(600)}external_systems: []\n`;
  const release = occupyThreads();
  const refused: unknown[] = [];
  const send = async () => {
    const answer = await server.call('importConfig', {
      body: { config_definition },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (answer.status !== 200) refused.push([answer.status, answer.body.code, answer.headers.get('retry-after')]);
    return answer.status;
  };
  const sent = Array.from({ length: maxWaiting + 3 }, send);
  await expect.poll(() => refused).toHaveLength(3);
  for (const answer of refused) expect(answer).toEqual([503, 'busy', '5']);
  expect((await server.call('listCohorts')).status).toBe(200);
  expect(await server.openTransactions()).toBe(0);
  await release();
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status === 200)).toHaveLength(maxWaiting);
});
