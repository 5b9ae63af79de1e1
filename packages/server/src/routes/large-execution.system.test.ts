/** An execution for one of 100,000 subjects: shown with all of them, and the server holds no more of them than a few. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLargeCohort } from '../../testing/large-cohort.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { megabyte, readWatching } from '../../testing/watched-reading.ts';

const subjects = 100_000;
const answers = 2;
/** Long enough that all of them together weigh more than the memory that is allowed. */
const prefix = `subject ${'-'.repeat(240)} `;
let testDatabase: TestDatabase;
let server: ServerProcess;
let atRest: number;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) => insertLargeCohort(client, subjects, prefix));
  server = await startServerProcess({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: testPassword,
  });
  // The check of a password takes 46 MiB for a moment, which is none of what is measured here.
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
    headers: { authorization: basic('admin', testPassword), 'content-type': 'application/json', ...headers },
    ...(method === 'PUT' && { body: JSON.stringify({ status: 'running', run_log: 'begun' }) }),
  });

interface Shown {
  status: string;
  cohort: { subjects: { id: number; label: string; uri: string }[] };
  subject: { id: number };
}

describe(`an execution in a cohort of ${subjects} subjects`, () => {
  it.each(['GET', 'PUT'] as const)(
    `is shown whole by ${answers} answers to %s, while memory grows by less than 60 MB`,
    async (method) => {
      let growth = 0;
      for (let count = 0; count < answers; count++) {
        const { text, most } = await readWatching(server, await send(method));
        const shown = JSON.parse(text) as Shown;
        expect(shown.cohort.subjects).toHaveLength(subjects);
        expect(new Set(shown.cohort.subjects.map(({ id }) => id)).size).toBe(subjects);
        expect(shown).toMatchObject({ status: 'running', subject: { id: subjects } });
        growth = Math.max(growth, most - atRest);
      }
      expect(growth).toBeLessThan(60 * megabyte);
    },
  );
});
