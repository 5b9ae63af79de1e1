/**
 * Roles that are assigned while a user is created: in one transaction, with the rules of the operations that assign roles.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../../testing/server.ts';
import { createTestToken } from '../../../testing/tokens.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const newUser = () => {
  const username = world.fresh('person').replace(' ', '_');
  return { username, email: `${username}@example.org` };
};

const create = (body: object, parts: Parts = {}) => server.call('createUser', { body, ...parts });

const held = async (id: number): Promise<[string, string | null][]> => {
  const { body } = await server.call('getUserRoles', { params: { id } });
  return body.roles.map(({ role, cohort }: { role: { name: string }; cohort: { label: string } | null }) => [
    role.name,
    cohort?.label ?? null,
  ]);
};

/** The number of rows that a rejected request must not change. */
const counts = () =>
  server.sql(
    'select (select count(*) from users) as users, (select count(*) from history) as history, (select count(*) from events) as events',
  );

async function expectRejected(
  body: object,
  expected: { status: number; code: string; pointers: string[] },
  parts?: Parts,
) {
  const before = await counts();
  const { status, body: problem } = await create({ ...newUser(), ...body }, parts);
  const pointers = problem.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect({ status, code: problem.code, pointers }).toEqual(expected);
  expect(await counts()).toEqual(before);
  return problem.detail as string;
}

describe('POST /users with roles', () => {
  it('assigns roles for all cohorts and in cohorts, and nothing else', async () => {
    const [one, two] = [await world.cohort(), await world.cohort()];
    const roles = [
      { role_name: 'superuser', cohort_ids: [two.id, one.id, two.id] },
      { role_name: 'user', cohort_ids: null },
      { role_name: 'user', cohort_ids: [one.id] },
    ];
    const { status, body } = await create({ ...newUser(), roles });
    expect(status).toBe(201);
    expect(await held(body.id)).toEqual([
      ['user', null],
      ['superuser', one.label],
      ['superuser', two.label],
      ['user', one.label],
    ]);
  });

  it('assigns no role if the list is empty', async () => {
    const { body } = await create({ ...newUser(), roles: [] });
    expect(await held(body.id)).toEqual([]);
  });

  it('limits the user to the cohort of the role', async () => {
    const [mine] = [await world.cohort(), await world.cohort()];
    const user = newUser();
    const roles = [{ role_name: 'user', cohort_ids: [mine.id] }];
    await create({ ...user, password: testPassword, roles });
    const { body } = await server.call('listCohorts', { as: user.username });
    expect(body.cohorts.map(({ id }: { id: number }) => id)).toEqual([mine.id]);
  });

  it('records the user and all roles in one history entry and one event', async () => {
    const cohort = await world.cohort();
    const roles = [
      { role_name: 'user', cohort_ids: null },
      { role_name: 'superuser', cohort_ids: [cohort.id] },
    ];
    const { body } = await create({ ...newUser(), roles });
    const entries = await server.sql<{ operation: string; before: null; after: object }>(
      `select operation, before, after from history_with_values where object_kind = 'user' and object_id = $1`,
      [body.id],
    );
    expect(entries).toEqual([{ operation: 'createUser', before: null, after: expect.anything() }]);
    expect(entries[0]?.after).toMatchObject({
      roles: ['user'],
      cohort_roles: [{ role: 'superuser', cohorts: [{ id: cohort.id, label: cohort.label }] }],
    });
    const events = await server.sql(`select kind from events where object_kind = 'user' and object_id = $1`, [body.id]);
    expect(events).toEqual([{ kind: 'createUser' }]);
  });

  it('creates one user if it is repeated with the same Idempotency-Key', async () => {
    const cohort = await world.cohort();
    const body = { ...newUser(), roles: [{ role_name: 'user', cohort_ids: [cohort.id] }] };
    const headers = { 'idempotency-key': randomUUID() };
    const [first, second] = [await create(body, { headers }), await create(body, { headers })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    const others = { ...body, roles: [{ role_name: 'superuser', cohort_ids: [cohort.id] }] };
    expect((await create(others, { headers })).status).toBe(422);
    expect(await held(first.body.id)).toEqual([['user', cohort.label]]);
  });
});

describe('POST /users with roles is rejected, and creates nothing,', () => {
  const role = [{ role_name: 'user', cohort_ids: null }];

  it('without the permission roles_manage', async () => {
    const { username: as } = await world.user('user_add');
    const expected = { status: 403, code: 'not_allowed', pointers: [] };
    expect(await expectRejected({ roles: role }, expected, { as })).toContain('`roles_manage`');
    expect((await create(newUser(), { as })).status).toBe(201);
  });

  it('with roles_manage in one cohort only', async () => {
    const adder = await world.user('user_add');
    const params = { username: adder.username, role_name: 'admin', cohort_id: (await world.cohort()).id };
    expect((await server.call('assignCohortRole', { params })).status).toBe(200);
    await expectRejected({ roles: role }, { status: 403, code: 'not_allowed', pointers: [] }, { as: adder.username });
  });

  it('with an API token, even of an administrator', async () => {
    const { parts } = await createTestToken(server, { id: 1, username: 'admin' }, ['user_add', 'roles_manage']);
    const expected = { status: 403, code: 'not_allowed', pointers: [] };
    for (const roles of [role, []]) {
      expect(await expectRejected({ roles }, expected, parts)).toContain('API token');
    }
    expect((await create(newUser(), parts)).status).toBe(201);
  });

  it('with `all_cohorts` as well', async () => {
    const expected = { status: 400, code: 'invalid_request', pointers: ['/roles', '/all_cohorts'] };
    for (const all_cohorts of [true, false]) await expectRejected({ roles: role, all_cohorts }, expected);
  });

  it('with an unknown role, which it names', async () => {
    const roles = [...role, { role_name: 'ratr', cohort_ids: null }];
    const expected = { status: 404, code: 'not_found', pointers: ['/roles/1/role_name'] };
    expect(await expectRejected({ roles }, expected)).toBe('No role "ratr". Nothing was saved.');
  });

  it('with an unknown cohort, which it names', async () => {
    const roles = [...role, { role_name: 'superuser', cohort_ids: [(await world.cohort()).id, 4_000_000_000] }];
    const expected = { status: 404, code: 'not_found', pointers: ['/roles/1/cohort_ids/1'] };
    expect(await expectRejected({ roles }, expected)).toBe('No cohort with id 4000000000. Nothing was saved.');
  });

  it.each([
    ['no cohort', [{ role_name: 'user', cohort_ids: [] }], '/roles/0/cohort_ids'],
    ['cohorts left out', [{ role_name: 'user' }], '/roles/0/cohort_ids'],
    ['more than 20 roles', Array.from({ length: 21 }, () => role[0]), '/roles'],
    [
      'more than 100 cohorts of a role',
      [{ role_name: 'user', cohort_ids: Array.from({ length: 101 }, (_, index) => index + 1) }],
      '/roles/0/cohort_ids',
    ],
  ])('with %s', async (_what, roles, pointer) => {
    await expectRejected({ roles }, { status: 400, code: 'invalid_request', pointers: [pointer] });
  });
});
