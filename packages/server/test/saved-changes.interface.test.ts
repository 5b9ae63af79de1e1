/**
 * A change that was saved never returns an error because its response cannot be read.
 *
 * @module-tag sql
 */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../testing/cases/callbacks.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, testPassword, type TestServer } from '../testing/server.ts';
import { withClient } from '../testing/test-database.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  // A short lock timeout, because the tests lock tables that only the response reads.
  server = await startTestServer({ timeouts: { lockMs: 100 } });
  world = createWorld(server);
});
afterAll(() => server.stop());

interface Change {
  method: 'POST' | 'PUT';
  path: string;
  body: object;
  headers?: Record<string, string>;
}

/** Does not compare the response with the schema of the operation, because it may be only a URI. */
async function send({ method, path, body, headers = {} }: Change) {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { authorization: basic('admin', testPassword), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const sendWhileLocked = (table: string, change: Change) =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(`lock table ${table} in access exclusive mode`);
    const answer = await send(change);
    await client.query('rollback');
    return answer;
  });

const onlyUri = (uri: string) => ({ uri, warnings: [{ message: expect.stringContaining('The change was saved') }] });
const finished = { status: 'finished', result: 'success' };

describe('a change whose response cannot be read', () => {
  it('returns 200 with the URI and a warning for a report', async () => {
    const { id } = await execution(world);
    const path = `/callback_executions/${id}`;
    const answer = await sendWhileLocked('cohort_urls', { method: 'PUT', path, body: finished });
    expect(answer).toEqual({ status: 200, body: onlyUri(`/api/v2${path}`) });
    expect((await server.call('getCallbackExecution', { params: { id } })).body).toMatchObject(finished);
  });

  it.each([
    { path: '/cohorts', locked: 'subjects', bodyOf: async () => ({ label: 'new' }) },
    {
      path: '/subjects',
      locked: 'external_subject_links',
      bodyOf: async () => ({ label: 'new', cohort_label: (await world.cohort()).label }),
    },
  ])('returns 201 for POST $path, and the object exists', async ({ path, locked, bodyOf }) => {
    const answer = await sendWhileLocked(locked, { method: 'POST', path, body: await bodyOf() });
    const [row] = await server.sql<{ id: string }>(`select id from ${path.slice(1)} where label = 'new'`);
    expect(answer).toEqual({ status: 201, body: onlyUri(`/api/v2${path}/${row?.id}`) });
  });

  it('with an idempotency key is not saved and returns 503', async () => {
    const headers = { 'idempotency-key': 'saved-changes-1' };
    const change = { method: 'POST' as const, path: '/cohorts', body: { label: 'keyed' }, headers };
    expect((await sendWhileLocked('subjects', change)).status).toBe(503);
    expect(await server.sql(`select from cohorts where label = 'keyed'`)).toEqual([]);
  });
});

describe('25 reports at the same time in a cohort of 1300 subjects', () => {
  it('all return 200 with the whole cohort', async () => {
    const { cohort, id: subjectId } = await world.subject();
    await server.sql(`insert into subjects (cohort_id, label) select $1, 's' || n from generate_series(2, 1300) as n`, [
      cohort.id,
    ]);
    const ids: number[] = [];
    const workflow = await world.workflow();
    for (let count = 0; count < 25; count += 1) {
      const body = { label: `visit ${count}`, subject_id: subjectId, workflow_label: workflow.label };
      await world.move((await server.call('createExperiment', { body })).body, 'checked');
      const [row] = await server.sql<{ id: string }>('select max(id) as id from callback_executions');
      ids.push(Number(row?.id));
    }
    const reports = ids.map((id) => server.call('updateCallbackExecution', { params: { id }, body: finished }));
    const answers = await Promise.all(reports);
    expect(answers.map(({ status, body }) => [status, body.status, body.cohort.subjects.length])).toEqual(
      ids.map(() => [200, 'finished', 1300]),
    );
  });
});
