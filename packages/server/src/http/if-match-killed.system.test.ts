/** If-Match on a server that is killed in the middle: what was lost on the way can be repeated, and nobody is overwritten. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdStep, lockWrites, sendUntilAnswered, type HeldStep } from '../../testing/held-table.ts';
import { startServerProcess } from '../../testing/server-process.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Edit {
  token: string;
  etag: string;
}

/** Writes the token as the description, if nobody has changed the cohort since it was read. */
const write = (baseUrl: string, id: number, { token, etag }: Edit) =>
  sendUntilAnswered(() =>
    fetch(`${baseUrl}/cohorts/${id}`, {
      method: 'PUT',
      headers: {
        authorization: basic('admin', testPassword),
        'content-type': 'application/json',
        'if-match': etag,
        'idempotency-key': token,
      },
      body: JSON.stringify({ description: token }),
    }),
  );

const steps: [when: string, step: HeldStep][] = [
  ['compares versions', { lock: 'select from cohorts for update' }],
  ['records the change', { lock: lockWrites('history') }],
  ['commits', { lock: lockWrites('events'), released: true }],
];

it.each(steps)('killed while it %s: one of eight changes is saved, and repeats tell which', async (when, step) => {
  const { body: cohort } = await server.call('createCohort', { body: { label: `killed while it ${when}` } });
  const read = async () => (await server.call('getCohort', { params: { id: cohort.id } })).headers.get('etag') ?? '';
  const etag = await read();
  const edits = Array.from({ length: 8 }, (_, n) => ({ token: `${n}-of-${cohort.id}`, etag }));
  const killed = await startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
  const sent = edits.map((edit) => write(killed.baseUrl, cohort.id, edit));
  await holdStep(server.testDatabase.ownerUrl, step, () => killed.stop('SIGKILL'));
  const statuses = await Promise.all(sent);
  if (!step.released) expect(statuses).toEqual(edits.map(() => 0));

  const repeated: number[] = [];
  for (const edit of edits) repeated.push(await write(server.baseUrl, cohort.id, edit));
  expect(
    repeated.toSorted((a, b) => a - b),
    'one was saved, the others have seen an old version',
  ).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  const winner = repeated.indexOf(200);
  for (const [index, status] of statuses.entries()) if (status === 200) expect(index).toBe(winner);
  const [last] = await server.sql<{ description: string }>('select description from cohorts where id = $1', [
    cohort.id,
  ]);
  expect(last?.description).toBe(edits[winner]?.token);
  expect(await read()).toBe('"2"');
});
