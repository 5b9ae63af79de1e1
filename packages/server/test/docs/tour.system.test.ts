/**
 * docs/tutorials/tour.sh prints docs/tutorials/tour.txt on an empty installation and explains why it cannot run otherwise. To
 * update that file after an intended change: `npm test -- packages/server/test/docs/tour.system.test.ts -u`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer } from '../../testing/counterparts/web-server.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../testing/processes/server-process.ts';

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

async function runTour(settings: Record<string, string>) {
  // Omits proxy settings, as a proxy cannot reach this server.
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', MILEPOST_URL: server.url, ...settings };
  const tour = spawn('sh', [fromRoot('docs/tutorials/tour.sh')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(tour, 'close') as Promise<[number | null]>;
  const [printed, errorOutput] = await Promise.all([text(tour.stdout), text(tour.stderr)]);
  return { code: (await ended)[0], printed, errorOutput };
}

/** Replaces the parts that differ between tours: times, request ids and the secret of the claim. */
const withPlaceholders = (printed: string) =>
  printed
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '(time)')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '(uuid)')
    .replaceAll(/mpe_[\w-]+/g, '(secret)');

/** The specified operations with a pattern of their requests. */
async function specified() {
  const { operations } = JSON.parse(await readFile(fromRoot('packages/api/interface.json'), 'utf8')) as {
    operations: { method: string; path: string }[];
  };
  return operations.map(({ method, path }) => {
    const pattern = path.replaceAll('{id}', '\\d+').replaceAll(/\{\w+\}/g, '[^/?]+');
    return { name: `${method} ${path}`, pattern: new RegExp(`^${method} ${pattern}(\\?|$)`, 'm') };
  });
}

describe('the tour explains why it cannot run', () => {
  it.each([
    ['without a password', {}, 2, 'Set MILEPOST_PASSWORD'],
    ['with a wrong password', { MILEPOST_PASSWORD: 'mistaken' }, 3, 'Sign-in as admin failed'],
    [
      'without a server',
      { MILEPOST_PASSWORD: password, MILEPOST_URL: 'http://127.0.0.1:1' },
      6,
      'Cannot reach http://127.0.0.1:1',
    ],
  ])('%s', async (_, settings, code, message) => {
    const tour = await runTour(settings);
    expect(tour).toMatchObject({ code, printed: '', errorOutput: expect.stringContaining(message) });
  });

  it('against a server that is not Milepost', async () => {
    const other = await startWebServer();
    const tour = await runTour({ MILEPOST_PASSWORD: password, MILEPOST_URL: other.origin });
    expect(tour).toMatchObject({
      code: 6,
      printed: '',
      errorOutput: expect.stringContaining('is not a Milepost server'),
    });
    await other.stop();
  });
});

describe('the tour', () => {
  let printed: string;

  it('succeeds and prints docs/tutorials/tour.txt', async () => {
    const tour = await runTour({ MILEPOST_PASSWORD: password });
    expect(tour).toMatchObject({ code: 0, errorOutput: '' });
    ({ printed } = tour);
    expect(printed).not.toContain(password);
    await expect(withPlaceholders(printed)).toMatchFileSnapshot(fromRoot('docs/tutorials/tour.txt'));
  });

  it('uses every operation of the specification', async () => {
    const operations = await specified();
    expect(operations).toHaveLength(78);
    expect(operations.filter(({ pattern }) => !pattern.test(printed)).map(({ name }) => name)).toEqual([]);
  });

  it('does not run twice on one database', async () => {
    const again = await runTour({ MILEPOST_PASSWORD: password, MILEPOST_URL: `${server.baseUrl}/` });
    expect(again).toMatchObject({
      code: 5,
      printed: '',
      errorOutput: expect.stringContaining('The database already has cohorts. The tour needs an empty installation.'),
    });
  });
});
