/**
 * How PUT handles fields that are absent, null, read-only, unknown or of the wrong type.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Labelled, type World } from '../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

let cohort: Labelled;
let subject: Labelled & { cohort: Labelled };
let user: { id: number; username: string };
beforeEach(async () => {
  cohort = await world.cohort();
  subject = await world.subject();
  user = await world.user();
  const born = { date_of_birth: '1951-03-08' };
  await server.call('updateSubject', { params: { id: subject.id }, body: born });
  await server.call('updateCohort', { params: { id: cohort.id }, body: { description: 'old' } });
  await server.call('updateUser', { params: { id: user.id }, body: { name: 'old' } });
});

const resources: { what: string; get: OperationName; put: OperationName; table: string; id: () => number }[] = [
  { what: 'cohorts', get: 'getCohort', put: 'updateCohort', table: 'cohorts', id: () => cohort.id },
  { what: 'subjects', get: 'getSubject', put: 'updateSubject', table: 'subjects', id: () => subject.id },
  { what: 'users', get: 'getUser', put: 'updateUser', table: 'users', id: () => user.id },
];

describe.each(resources)('PUT /$what/{id}', ({ get, put, table, id }) => {
  const read = async () => (await server.call(get, { params: { id: id() } })).body;
  const version = async () => {
    const [row] = await server.sql<{ version: string; entries: string }>(
      `select version, (select count(*) from history) + (select count(*) from events) as entries
       from ${table} where id = $1`,
      [id()],
    );
    return row;
  };

  it.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['an empty object', {}],
  ])('with %s returns the resource and changes nothing', async (_what, body) => {
    const before = [await read(), await version()];
    const response = await server.call(put, { params: { id: id() }, ...(body !== undefined && { body }) });
    expect(response).toMatchObject({ status: 200, body: before[0] });
    expect(await version()).toEqual(before[1]);
  });

  it('changes neither version nor history if the body is a GET response', async () => {
    const before = [await read(), await version()];
    const response = await server.call(put, { params: { id: id() }, body: before[0] });
    expect(response).toMatchObject({ status: 200, body: before[0] });
    expect(await version()).toEqual(before[1]);
  });

  it('ignores the values of read-only fields (V15.3.3)', async () => {
    const before = await read();
    const body = { id: 'x', uri: null };
    expect((await server.call(put, { params: { id: id() }, body })).body).toEqual(before);
  });

  it('rejects an unknown field with 400 and suggests the closest known field (V15.3.3)', async () => {
    const { status, body } = await server.call(put, { params: { id: id() }, body: { lable: 'x', nmae: 'x' } });
    expect(status).toBe(400);
    const nearest = table === 'users' ? ['/nmae', 'name'] : ['/lable', 'label'];
    const suggestion = {
      pointer: nearest[0],
      detail: `${nearest[0]} is not a known field. Did you mean "${nearest[1]}"?`,
    };
    expect(body.errors).toContainEqual(suggestion);
    expect(body.errors).toHaveLength(2);
  });

  it.each(['[]', '"text"', '5', 'true'])('rejects the body %s with 400 (V15.3.5)', async (body) => {
    expect((await server.call(put, { params: { id: id() }, body })).status).toBe(400);
  });
});

describe('PUT with one field', () => {
  it('keeps the other fields of a cohort', async () => {
    const label = world.fresh('renamed');
    const { body } = await server.call('updateCohort', { params: { id: cohort.id }, body: { label } });
    expect(body).toMatchObject({ label, description: 'old' });
  });

  it('keeps the other fields of a subject', async () => {
    const label = world.fresh('renamed');
    const { body } = await server.call('updateSubject', { params: { id: subject.id }, body: { label } });
    expect(body).toMatchObject({ label, date_of_birth: '1951-03-08', cohort: { id: subject.cohort.id } });
  });

  it('keeps the other fields of a user', async () => {
    const email = `${user.username}@elsewhere.org`;
    const { body } = await server.call('updateUser', { params: { id: user.id }, body: { email } });
    expect(body).toMatchObject({ email, name: 'old', active: true, username: user.username });
  });
});

describe('null', () => {
  it.each([
    ['updateCohort', () => cohort.id, 'description', ''],
    ['updateSubject', () => subject.id, 'date_of_birth', null],
    ['updateUser', () => user.id, 'name', ''],
  ] as const)('in %s clears an optional field', async (name, id, field, empty) => {
    const { status, body } = await server.call(name, { params: { id: id() }, body: { [field]: null } });
    expect(status).toBe(200);
    expect(body[field]).toBe(empty);
  });

  it.each([
    ['updateCohort', () => cohort.id, ['label']],
    ['updateSubject', () => subject.id, ['label', 'cohort_label']],
    ['updateUser', () => user.id, ['username', 'email', 'active', 'password']],
  ] as const)('in %s changes nothing for fields that cannot be cleared', async (name, id, fields) => {
    const unchanged = (await server.call(name, { params: { id: id() }, body: {} })).body;
    for (const field of fields) {
      const { status, body } = await server.call(name, { params: { id: id() }, body: { [field]: null } });
      expect([status, body]).toEqual([200, unchanged]);
    }
  });
});

describe('a value of the wrong type', () => {
  it.each([
    ['createCohort', { label: 5 }, {}, '/label'],
    ['createCohort', { label: 'x', description: true }, {}, '/description'],
    ['createSubject', { label: ['x'], cohort_label: 'x' }, {}, '/label'],
    ['createSubject', { label: 'x', cohort_label: 1 }, {}, '/cohort_label'],
    ['createSubject', { label: 'x', cohort_label: 'x', date_of_birth: 19510308 }, {}, '/date_of_birth'],
    ['updateUser', { active: 'true' }, { id: 1 }, '/active'],
    ['updateUser', { active: 1 }, { id: 1 }, '/active'],
    ['updateUser', { name: 7 }, { id: 1 }, '/name'],
    ['importConfig', { config_definition: {} }, {}, '/config_definition'],
  ] as const)('in the %s body %j is rejected instead of coerced', async (name, body, params, pointer) => {
    const response = await server.call(name, { params, body });
    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([{ pointer }]);
  });
});
