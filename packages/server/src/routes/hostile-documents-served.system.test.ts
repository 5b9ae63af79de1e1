/**
 * Hostile definition files, as others meet them: sent over the network to a server that is a process of its own. Each is answered
 * within a second of the clock, and no turn of the event loop works for 50 ms. hostile-documents.interface.test.ts has what the
 * gate asserts of them.
 */
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { sampleSizes } from '../../testing/hostile/sample-sizes.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/postgres.ts';
import { sourceOf } from '../../testing/program-process.ts';
import { seed } from '../../testing/seed.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';

const longestMs = 1_000;
const longestTurnMs = 50;
const longestAnswer = 128 * 1024;

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  const watch = fileURLToPath(new URL('../../testing/watch-turns.ts', import.meta.url));
  const { file, flags } = sourceOf('serve');
  // As people have it: nothing is compiled beforehand.
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

/** The longest turn of the server's event loop since this was last asked. */
async function longestTurn(): Promise<number> {
  const told = () => [...server.output().matchAll(/held up for (\S+) ms/g)].map(([, ms]) => Number(ms));
  const before = told().length;
  server.signal('SIGUSR2');
  await expect.poll(() => told().length, { interval: 10 }).toBe(before + 1);
  return told().at(-1) ?? Number.NaN;
}

const headers = { authorization: basic('admin', testPassword), 'content-type': 'application/json' };

/** How long the answer took. */
async function send(text: string): Promise<number> {
  const begun = performance.now();
  const body = JSON.stringify({ workflow_definition: text });
  const response = await fetch(`${server.baseUrl}/service/config/import-workflow`, { method: 'POST', headers, body });
  const { length } = await response.text();
  const shown = text.slice(0, 1_000);
  expect({ shown, status: response.status }).toEqual({ shown, status: 400 });
  expect(length).toBeLessThan(longestAnswer);
  return performance.now() - begun;
}

describe('hostile documents over the network', { tags: ['nightly'] }, () => {
  it('are sent to a server whose long turns are seen: those in which it was loaded', async () => {
    // Starts a thread, too, which takes half a second longer than to use one that rests.
    await send(`# ${'x'.repeat(9_000)}`);
    expect(await longestTurn()).toBeGreaterThan(longestTurnMs);
  });

  it.each(handWrittenDocuments)('%s: refused within a second, in short turns', async (_about, text) => {
    expect(await send(text)).toBeLessThan(longestMs);
    expect(await longestTurn()).toBeLessThan(longestTurnMs);
  });

  it(`${sampleSizes.nightly} generated ones, with seed ${seed}: each refused within a second, in short turns`, async () => {
    let slowest = { ms: 0, text: '' };
    for (const text of fc.sample(hostileDocument, { numRuns: sampleSizes.nightly, seed })) {
      const ms = await send(text);
      if (ms > slowest.ms) slowest = { ms, text: text.slice(0, 1_000) };
    }
    expect(slowest).toEqual({ ...slowest, ms: expect.toSatisfy((ms: number) => ms < longestMs) });
    expect(await longestTurn()).toBeLessThan(longestTurnMs);
  });
});
