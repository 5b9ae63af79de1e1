/** If-Match on a server that is killed during the request: the request can be repeated and overwrites no other change. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pauseAtLock, lockWrites, retryWhileUnavailable, type LockPoint } from '../../testing/pause-at-lock.ts';
import { startServerProcess } from '../../testing/processes/server-process.ts';
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

/** Writes the token as the description, if the cohort has not changed since it was read. */
const write = (baseUrl: string, id: number, { token, etag }: Edit) =>
  retryWhileUnavailable(() =>
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

const steps: [when: string, step: LockPoint][] = [
  ['compares versions', { lock: 'select from cohorts for update' }],
  ['records the change', { lock: lockWrites('history') }],
  ['commits', { lock: lockWrites('events'), released: true }],
];

it.each(steps)(
  'exactly one of eight changes with If-Match is saved if the server is killed while it %s',
  async (when, step) => {
    const { body: cohort } = await server.call('createCohort', { body: { label: `killed while it ${when}` } });
    const read = async () => (await server.call('getCohort', { params: { id: cohort.id } })).headers.get('etag') ?? '';
    const etag = await read();
    const edits = Array.from({ length: 8 }, (_, n) => ({ token: `${n}-of-${cohort.id}`, etag }));
    const killed = await startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
    const statuses = await pauseAtLock(server.testDatabase.ownerUrl, step, {
      begin: () => Promise.all(edits.map((edit) => write(killed.baseUrl, cohort.id, edit))),
      whenWaiting: () => killed.stop('SIGKILL'),
    });
    if (!step.released) expect(statuses).toEqual(edits.map(() => 0));

    const repeated: number[] = [];
    for (const edit of edits) repeated.push(await write(server.baseUrl, cohort.id, edit));
    expect(
      repeated.toSorted((a, b) => a - b),
      'one change was saved, the others have an old version',
    ).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    const winner = repeated.indexOf(200);
    for (const [index, status] of statuses.entries()) if (status === 200) expect(index).toBe(winner);
    const [last] = await server.sql<{ description: string }>('select description from cohorts where id = $1', [
      cohort.id,
    ]);
    expect(last?.description).toBe(edits[winner]?.token);
    expect(await read()).toBe('"2"');
  },
);
