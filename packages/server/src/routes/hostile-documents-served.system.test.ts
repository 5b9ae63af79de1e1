/**
 * Hostile definition files, as others meet them: sent over the network to a server that is a process of its own. Each is answered
 * within a second of the clock, and no other request waits for 50 ms while it is read.
 */
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handWrittenDocuments, hostileDocument } from '../../testing/hostile/documents.ts';
import { leastCosts } from '../../testing/least-work.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/postgres.ts';
import { sourceOf } from '../../testing/program-process.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';

const longestMs = 1_000;
const longestHeldUpMs = 50;
const longestAnswer = 128 * 1024;
const generated = 10_000;
/** How many are measured together: where one was over a limit, all of them are sent again. */
const together = 25;
/** More would be served in one turn, and together hold up what none does alone. */
const atOnce = 2;
const seed = Number(process.env['MILEPOST_TEST_SEED'] ?? 1);

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

/** The longest that the event loop of the server was held up since this was last asked. */
async function heldUpMs(): Promise<number> {
  const told = () => [...server.output().matchAll(/held up for (\S+) ms/g)].map(([, ms]) => Number(ms));
  const before = told().length;
  server.signal('SIGUSR2');
  await expect.poll(() => told().length, { interval: 10 }).toBe(before + 1);
  return told().at(-1) ?? Number.NaN;
}

const headers = { authorization: basic('admin', testPassword), 'content-type': 'application/json' };

interface Timed {
  ms: number;
  text: string;
}

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

/** The one whose answer took longest. */
async function sendAll(texts: readonly string[]): Promise<Timed> {
  let slowest: Timed = { ms: 0, text: '' };
  const rest = texts.values();
  const sendOn = async () => {
    for (const text of rest) {
      const ms = await send(text);
      if (ms > slowest.ms) slowest = { ms, text };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendOn));
  return slowest;
}

async function expectCheap(texts: readonly string[]): Promise<void> {
  let slowest = '';
  const cost = await leastCosts({ ms: longestMs, heldUp: longestHeldUpMs }, async () => {
    const { ms, text } = await sendAll(texts);
    slowest = text.slice(0, 1_000);
    return { ms, heldUp: await heldUpMs() };
  });
  expect(cost.ms < longestMs ? undefined : { slowest, ...cost }).toBeUndefined();
  expect(cost.heldUp).toBeLessThan(longestHeldUpMs);
}

describe('an event loop that is held up', () => {
  it('is seen: by the program that is loaded, and by nothing afterwards', async () => {
    expect(await heldUpMs()).toBeGreaterThan(longestHeldUpMs);
    await expect.poll(heldUpMs).toBeLessThan(longestHeldUpMs);
  });
});

describe('hostile documents over the network', () => {
  it.each(handWrittenDocuments)('%s: refused within a second, holding up nobody', (_about, text) =>
    expectCheap([text]),
  );

  it(`${generated} generated ones, with seed ${seed}: each within a second, holding up nobody, and no 5xx`, async () => {
    const texts = fc.sample(hostileDocument, { numRuns: generated, seed });
    for (let first = 0; first < generated; first += together) {
      await expectCheap(texts.slice(first, first + together));
    }
  });
});
