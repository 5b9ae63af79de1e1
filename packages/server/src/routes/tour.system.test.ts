/**
 * docs/tutorials/tour.sh: on a server with nothing in it, it prints what stands in docs/tutorials/tour.txt, and what may be in its way it says
 * in a sentence. After a change on purpose, print that file anew: `npm test -- packages/server/src/routes/tour.system.test.ts -u`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer } from '../../testing/counterparts/web-server.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';

const fromRoot = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
const password = 'only "for" the \\ tour';

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startServerProcess({
    DATABASE_URL: database.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_PUBLIC_URL: 'http://localhost:8080',
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function takeTour(settings: Record<string, string>) {
  // Nothing else of the environment: a proxy that it may name does not know this server.
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', MILEPOST_URL: server.url, ...settings };
  const tour = spawn('sh', [fromRoot('docs/tutorials/tour.sh')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(tour, 'close') as Promise<[number | null]>;
  const [printed, complaint] = await Promise.all([text(tour.stdout), text(tour.stderr)]);
  return { code: (await ended)[0], printed, complaint };
}

/** What differs from one tour to the next is named instead: times, the ids of requests, the secret of the claim. */
const withoutChance = (printed: string) =>
  printed
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '(time)')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '(uuid)')
    .replaceAll(/mpe_[\w-]+/g, '(secret)');

/** The specified operations, each as what its requests look like. */
async function specified() {
  const { operations } = JSON.parse(await readFile(fromRoot('packages/api/interface.json'), 'utf8')) as {
    operations: { method: string; path: string }[];
  };
  return operations.map(({ method, path }) => {
    const pattern = path.replaceAll('{id}', '\\d+').replaceAll(/\{\w+\}/g, '[^/?]+');
    return { name: `${method} ${path}`, pattern: new RegExp(`^${method} ${pattern}(\\?|$)`, 'm') };
  });
}

describe('what is in the way of the tour is said in a sentence', () => {
  it.each([
    ['no password', {}, 2, 'Set MILEPOST_PASSWORD'],
    ['a wrong password', { MILEPOST_PASSWORD: 'mistaken' }, 3, 'Sign-in as admin failed'],
    [
      'nobody there',
      { MILEPOST_PASSWORD: password, MILEPOST_URL: 'http://127.0.0.1:1' },
      6,
      'Cannot reach http://127.0.0.1:1',
    ],
  ])('%s', async (_, settings, code, sentence) => {
    const tour = await takeTour(settings);
    expect(tour).toMatchObject({ code, printed: '', complaint: expect.stringContaining(sentence) });
  });

  it('somebody else there', async () => {
    const other = await startWebServer();
    const tour = await takeTour({ MILEPOST_PASSWORD: password, MILEPOST_URL: other.origin });
    expect(tour).toMatchObject({
      code: 6,
      printed: '',
      complaint: expect.stringContaining('is not a Milepost server'),
    });
    await other.stop();
  });
});

describe('the tour', () => {
  let printed: string;

  it('comes to its end, and prints what stands in docs/tutorials/tour.txt', async () => {
    const tour = await takeTour({ MILEPOST_PASSWORD: password });
    expect(tour).toMatchObject({ code: 0, complaint: '' });
    ({ printed } = tour);
    expect(printed).not.toContain(password);
    await expect(withoutChance(printed)).toMatchFileSnapshot(fromRoot('docs/tutorials/tour.txt'));
  });

  it('uses every operation of the specification', async () => {
    const operations = await specified();
    expect(operations).toHaveLength(78);
    expect(operations.filter(({ pattern }) => !pattern.test(printed)).map(({ name }) => name)).toEqual([]);
  });

  it('is not taken twice on one database', async () => {
    const again = await takeTour({ MILEPOST_PASSWORD: password, MILEPOST_URL: `${server.baseUrl}/` });
    expect(again).toMatchObject({
      code: 5,
      printed: '',
      complaint: expect.stringContaining('The database already has cohorts. The tour needs an empty installation.'),
    });
  });
});
