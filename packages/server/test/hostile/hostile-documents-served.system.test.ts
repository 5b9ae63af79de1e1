/**
 * Hostile workflow files, sent over the network to a server in its own process. Each gets a response within a second and
 * blocks the event loop for less than 50 ms at a time. hostile-documents.interface.test.ts has the tests that run in the gate.
 */
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { sampleSizes } from '../../../definitions/testing/sample-sizes.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { sourceOf } from '../../testing/processes/program-process.ts';
import { seed } from '../../../api/testing/seed.ts';
import { startServerProcess, type ServerProcess } from '../../testing/processes/server-process.ts';
import { testPassword } from '../../testing/server.ts';

const maxResponseMs = 1_000;
const maxTurnMs = 50;
const maxResponseLength = 128 * 1024;

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  const watch = fileURLToPath(new URL('../../testing/measure/watch-turns.ts', import.meta.url));
  const { file, flags } = sourceOf('serve');
  // Without the compile cache, as in a new installation.
  const settings = {
    DATABASE_URL: database.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: testPassword,
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  server = await startServerProcess(settings, { file, flags: [...flags, `--import=${watch}`] });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** The longest turn of the server's event loop since the last call. */
async function longestTurn(): Promise<number> {
  const reported = () => [...server.output().matchAll(/longest turn: (\S+) ms/g)].map(([, ms]) => Number(ms));
  const before = reported().length;
  server.signal('SIGUSR2');
  await expect.poll(() => reported().length, { interval: 10 }).toBe(before + 1);
  return reported().at(-1) ?? Number.NaN;
}

const headers = { authorization: basic('admin', testPassword), 'content-type': 'application/json' };

/** Returns the response time in milliseconds. */
async function send(text: string): Promise<number> {
  const start = performance.now();
  const body = JSON.stringify({ workflow_definition: text });
  const response = await fetch(`${server.baseUrl}/service/config/import-workflow`, { method: 'POST', headers, body });
  const { length } = await response.text();
  const shown = text.slice(0, 1_000);
  expect({ shown, status: response.status }).toEqual({ shown, status: 400 });
  expect(length).toBeLessThan(maxResponseLength);
  return performance.now() - start;
}

describe('hostile documents over the network', { tags: ['nightly'] }, () => {
  it('are sent to a server that reports long turns of its event loop, such as those at startup', async () => {
    // Also starts a thread, which takes half a second longer than using an idle one.
    await send(`# ${'x'.repeat(9_000)}`);
    expect(await longestTurn()).toBeGreaterThan(maxTurnMs);
  });

  it.each(handWrittenDocuments)(
    'with %s are rejected within a second and block the event loop for less than 50 ms at a time',
    async (_about, text) => {
      expect(await send(text)).toBeLessThan(maxResponseMs);
      expect(await longestTurn()).toBeLessThan(maxTurnMs);
    },
  );

  it(`generated with seed ${seed} are each rejected within a second, with event loop turns below 50 ms`, async () => {
    let slowest = { ms: 0, text: '' };
    for (const text of fc.sample(hostileDocument, { numRuns: sampleSizes.nightly, seed })) {
      const ms = await send(text);
      if (ms > slowest.ms) slowest = { ms, text: text.slice(0, 1_000) };
    }
    expect(slowest).toEqual({ ...slowest, ms: expect.toSatisfy((ms: number) => ms < maxResponseMs) });
    expect(await longestTurn()).toBeLessThan(maxTurnMs);
  });
});
