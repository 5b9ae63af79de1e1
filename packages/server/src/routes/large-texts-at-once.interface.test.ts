/** Many large texts at once: few are read at a time, the rest wait without holding anything, and what is too much is refused. */
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { largeWorkflow } from '../../testing/large-workflow.ts';
import { longestTurn } from '../../testing/longest-turn.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { threadInputsDuring } from '../../testing/thread-inputs.ts';
import { runInThread } from '../engine/documents/run-in-thread.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** As many as may run, and as many as may wait. */
const [atOnce, waiting] = [2, 30];

/** How many threads there were at most at one moment. */
async function mostThreads(work: () => Promise<void>): Promise<number> {
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

const rehearse = (index: number) =>
  server.call('importWorkflow', {
    query: { dry_run: true },
    body: { workflow_definition: largeWorkflow(`large ${index}`) },
  });

async function rehearseAtOnce(many: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: many }, (_, index) => rehearse(index)));
  expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(200));
}

it('eight definitions of 200 states are all read in threads, two at a time (V15.2.2)', async () => {
  let inputs: unknown[] = [];
  const threads = await mostThreads(async () => {
    inputs = await threadInputsDuring(() => rehearseAtOnce(8));
  });
  expect(inputs).toHaveLength(8);
  expect(threads).toBe(atOnce);
});

it('twenty of them let no turn of the event loop take 100 ms', { tags: ['nightly'] }, async () => {
  expect(await longestTurn(() => rehearseAtOnce(20))).toBeLessThan(100);
});

/** Takes every turn until it is told to give them back. */
function takeAllTurns() {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (held) => { Atomics.wait(held, 0, 0); parentPort.postMessage('released'); });`;
  const thread = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const taken = Promise.all(Array.from({ length: atOnce }, () => runInThread(thread, held)));
  return async () => {
    Atomics.store(held, 0, 1);
    Atomics.notify(held, 0);
    expect(await taken).toEqual(Array(atOnce).fill('released'));
  };
}

it('those who wait hold no connection, and beyond thirty the next is told to come back (V2.4.1)', async () => {
  const config_definition = `${'# a long comment\n'.repeat(600)}external_systems: []\n`;
  const giveBack = takeAllTurns();
  const refused: unknown[] = [];
  const send = async () => {
    const answer = await server.call('importConfig', {
      body: { config_definition },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (answer.status !== 200) refused.push([answer.status, answer.body.code, answer.headers.get('retry-after')]);
    return answer.status;
  };
  const sent = Array.from({ length: waiting + 3 }, send);
  await expect.poll(() => refused).toHaveLength(3);
  for (const answer of refused) expect(answer).toEqual([503, 'busy', '5']);
  expect((await server.call('listCohorts')).status).toBe(200);
  expect(await server.openTransactions()).toBe(0);
  await giveBack();
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status === 200)).toHaveLength(waiting);
});
