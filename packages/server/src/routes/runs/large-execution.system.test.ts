/** The response for an execution in a cohort of 100,000 subjects is complete, and memory growth stays limited. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLargeCohort } from '../../../testing/rows/large-cohort.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../../testing/processes/server-process.ts';
import { testPassword } from '../../../testing/server.ts';
import { megabyte, readWatchingMemory, signedIn } from '../../../testing/measure/watched-reading.ts';

const subjects = 100_000;
const responses = 2;
/** Long enough that all labels together exceed the memory limit. */
const prefix = `subject ${'-'.repeat(240)} `;
let testDatabase: TestDatabase;
let server: ServerProcess;
let authorization: string;
let atRest: number;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) => insertLargeCohort(client, subjects, prefix));
  server = await startServerProcess({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: testPassword,
  });
  authorization = await signedIn(server, testPassword);
  for (let count = 0; count < 20; count++) await (await send('GET', { 'x-fields': '*,cohort{label}' })).text();
  await send('PUT', { 'x-fields': 'id' });
  atRest = await server.memory();
});
afterAll(async () => {
  await server.stop();
  await testDatabase.drop();
});

const send = (method: 'GET' | 'PUT', headers: Record<string, string> = {}) =>
  fetch(`${server.baseUrl}/callback_executions/1`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(method === 'PUT' && { body: JSON.stringify({ status: 'running', run_log: 'begun' }) }),
  });

interface Shown {
  status: string;
  cohort: { subjects: { id: number; label: string; uri: string }[] };
  subject: { id: number };
}

describe(`an execution in a cohort of ${subjects} subjects`, () => {
  it.each(['GET', 'PUT'] as const)(
    `is returned completely by ${responses} %s requests while memory grows by less than 60 MB`,
    async (method) => {
      let growth = 0;
      for (let count = 0; count < responses; count++) {
        const { text, peakMemory } = await readWatchingMemory(server, await send(method));
        const shown = JSON.parse(text) as Shown;
        expect(shown.cohort.subjects).toHaveLength(subjects);
        expect(new Set(shown.cohort.subjects.map(({ id }) => id)).size).toBe(subjects);
        expect(shown).toMatchObject({ status: 'running', subject: { id: subjects } });
        growth = Math.max(growth, peakMemory - atRest);
      }
      expect(growth).toBeLessThan(60 * megabyte);
    },
  );
});
