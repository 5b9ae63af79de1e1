/** If-Match on a server that is killed in the middle: what was lost on the way can be repeated, and nobody is overwritten. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const start = () => startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });

interface Edit {
  token: string;
  etag: string;
}

/** Somebody writes their token below what they have read. */
const write = ({ baseUrl }: ServerProcess, id: number, { token, etag }: Edit) =>
  fetch(`${baseUrl}/cohorts/${id}`, {
    method: 'PUT',
    headers: {
      authorization: basic('admin', testPassword),
      'content-type': 'application/json',
      'if-match': etag,
      'idempotency-key': token,
    },
    body: JSON.stringify({ description: token }),
  }).then(
    ({ status }) => status,
    () => 0,
  );

it('one change follows each version, and a repeat after the kill says which', async () => {
  const { body: cohort } = await server.call('createCohort', { body: { label: 'edited' } });
  const read = async () => (await server.call('getCohort', { params: { id: cohort.id } })).headers.get('etag') ?? '';
  let [unknown, saved] = [0, 0];
  let process = await start();
  await write(process, cohort.id, { token: 'warm', etag: '"0"' });
  for (let round = 0; round < 8; round++) {
    const etag = await read();
    const edits = Array.from({ length: 12 }, (_, n) => ({ token: `edit-${round}-${n}`, etag }));
    const sent = edits.map((edit) => write(process, cohort.id, edit));
    await new Promise((resolve) => setTimeout(resolve, 3 + round * 4));
    await process.stop('SIGKILL');
    unknown += (await Promise.all(sent)).filter((status) => status === 0).length;
    process = await start();
    const repeated: number[] = [];
    for (const edit of edits) repeated.push(await write(process, cohort.id, edit));
    expect(
      repeated.toSorted((a, b) => a - b),
      'one was saved, the others have seen an old version',
    ).toEqual([200, ...Array.from({ length: 11 }, () => 412)]);
    const [last] = await server.sql<{ description: string }>('select description from cohorts where id = $1', [
      cohort.id,
    ]);
    expect(last?.description).toBe(edits[repeated.indexOf(200)]?.token);
    saved += 1;
    expect(await read()).toBe(`"${1 + saved}"`);
  }
  await process.stop();
  // Otherwise nobody was killed at a bad moment, and this shows nothing.
  expect(unknown).toBeGreaterThan(0);
});
