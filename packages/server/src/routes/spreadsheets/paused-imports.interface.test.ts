/**
 * A running import: its pace, and how its author pauses, resumes and stops it.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';
import { createTestToken } from '../../../testing/tokens.ts';
import { runImportSet } from '../../engine/spreadsheets/run-imports.ts';

let server: TestServer;
let world: ImportWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
});
afterAll(() => server.stop());

type Verb = 'applyImport' | 'pauseImport' | 'resumeImport' | 'stopImport';
const control = (verb: Verb, id: number, parts: Parts = {}) => server.call(verb, { params: { id }, ...parts });
const workOnce = () => runImportSet({ ...world.context, linesPerSecond: 1 });

/** An import of three subjects, of which the first has been created. */
async function startedImport() {
  const cohortId = await world.cohort();
  const { id } = await world.check(cohortId, 'subject\nA-1\nA-2\nA-3\n');
  await control('applyImport', id);
  await workOnce();
  return { id, cohortId };
}

const subjectsOf = async (cohortId: number) => {
  const rows = await server.sql<{ label: string }>(
    `select label from subjects where cohort_id = $1 and label like 'A-%' order by id`,
    [cohortId],
  );
  return rows.map(({ label }) => label);
};

describe('a running import', () => {
  it('shows its pace and the time left, which a paused one does not have', async () => {
    const { id } = await startedImport();
    const { per_second: pace, seconds_left: left, ready } = await world.read(id);
    expect(ready).toBe(2);
    expect(pace).toBeGreaterThan(0);
    expect(left).toBe(Math.ceil(2 / pace));
    expect((await control('pauseImport', id)).body).toMatchObject({ per_second: null, seconds_left: null });
  });

  it('does nothing while it is paused, and imports the lines that are left after it was resumed', async () => {
    const { id, cohortId } = await startedImport();
    const { started_at: started } = await world.read(id);
    await control('pauseImport', id);
    expect(await workOnce()).toBe(false);
    expect(await world.read(id)).toMatchObject({ status: 'paused', done: 1, ready: 2, started_at: started });
    expect(await subjectsOf(cohortId)).toEqual(['A-1']);
    expect((await control('resumeImport', id)).body).toMatchObject({ status: 'running', started_at: started });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: 3, ready: 0, new_subjects: 3 });
    expect(await subjectsOf(cohortId)).toEqual(['A-1', 'A-2', 'A-3']);
  });

  it('can be stopped while it is paused, and cannot be resumed then', async () => {
    const { id, cohortId } = await startedImport();
    await control('pauseImport', id);
    expect((await control('stopImport', id)).body).toMatchObject({
      status: 'stopped',
      ready: 2,
      stopped_because: null,
    });
    expect((await control('resumeImport', id)).status).toBe(409);
    expect(await workOnce()).toBe(false);
    expect(await subjectsOf(cohortId)).toEqual(['A-1']);
  });

  it('keeps its mapping while it is paused', async () => {
    const { id } = await startedImport();
    await control('pauseImport', id);
    const columns = { subject: { target: 'experiment' } };
    expect((await server.call('updateImport', { params: { id }, body: { columns } })).status).toBe(409);
  });

  it('depends on the API token that resumed it', async () => {
    const { id, cohortId } = await startedImport();
    await control('pauseImport', id);
    const [{ id: adminId } = { id: 0 }] = await server.sql<{ id: number }>(
      `select id::int from users where username = 'admin'`,
    );
    const token = await createTestToken(server, { id: adminId, username: 'admin' }, ['sample_add']);
    expect((await control('resumeImport', id, token.parts)).status).toBe(200);
    await server.call('revokeApiToken', { params: { id: adminId, token_id: token.id } });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'stopped', done: 1, ready: 2 });
    expect(await subjectsOf(cohortId)).toEqual(['A-1']);
  });
});

it('has the time of the last check, and none while its lines are checked', async () => {
  const { id, checked_at: first } = await world.check(await world.cohort(), 'subject;visit\nA-1;e1\n');
  expect(first).not.toBeNull();
  const columns = { subject: { target: 'subject' } };
  const { body } = await server.call('updateImport', { params: { id }, body: { columns } });
  expect(body).toMatchObject({ status: 'checking', checked_at: null });
  await world.work();
  const { checked_at: second } = await world.read(id);
  expect(Date.parse(second)).toBeGreaterThanOrEqual(Date.parse(first));
});
