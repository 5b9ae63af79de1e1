/**
 * No operation can leave the installation without an active administrator.
 *
 * @module-tag sql
 */
import { permissions } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withClient } from '../../../testing/test-database.ts';
import { startTestServer, type Answer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let other: number;
beforeAll(async () => {
  server = await startTestServer();
  other = await server.addUser('other', ['admin']);
  // Has all permissions of an administrator, but through another role.
  await server.addUserWith('strong', ...permissions);
});
afterAll(() => server.stop());

const admin = 1;
const config = (user: object) => ({ body: { config_definition: JSON.stringify({ users: [user] }) } });
const identity = { username: 'admin', email: 'admin@example.org' };

/** Operations that deactivate the administrator or remove the role `admin`. */
const removals: [string, (as: string) => Promise<Answer>][] = [
  ['DELETE /users/{id}', (as) => server.call('deleteUser', { params: { id: admin }, as })],
  [
    'PUT /users/{id} with active=false',
    (as) => server.call('updateUser', { params: { id: admin }, body: { active: false }, as }),
  ],
  [
    'DELETE /users/{username}/roles/admin',
    (as) => server.call('removeUserRole', { params: { username: 'admin', role_name: 'admin' }, as }),
  ],
  [
    'PUT import-config with active=false',
    (as) => server.call('overwriteConfig', { ...config({ ...identity, active: false }), as }),
  ],
  [
    'PUT import-config with other roles',
    (as) => server.call('overwriteConfig', { ...config({ ...identity, roles: 'user' }), as }),
  ],
];

const isAdmin = async () => {
  const [row] = await server.sql<{ held: boolean }>(
    'select exists (select from users join user_roles on user_id = id where id = 1 and role_id = 1 and active) as held',
  );
  return row?.held;
};

beforeEach(async () => {
  await server.sql('insert into user_roles values (1, 1), ($1, 1) on conflict do nothing', [other]);
  await server.sql('update users set active = true');
});

describe.each(removals)('%s', (_request, remove) => {
  it.each(['admin', 'strong'])(
    'sent by the user %s returns 409 for the last active administrator and changes nothing',
    async (as) => {
      await server.sql('update users set active = false where id = $1', [other]);
      const history = await server.sql('select count(*) from history');
      const { status, body } = await remove(as);
      expect([status, body.code]).toEqual([409, 'last_admin']);
      expect(await isAdmin()).toBe(true);
      expect(await server.sql('select count(*) from history')).toEqual(history);
    },
  );

  it('returns 200 while another active administrator exists', async () => {
    expect((await remove('strong')).status).toBe(200);
    expect(await isAdmin()).toBe(false);
  });
});

/** Both requests are authorised before either of them writes. */
const concurrently = (requests: (() => Promise<Answer>)[]) =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query('begin; lock table users, user_roles in exclusive mode');
    const answers = requests.map((request) => request());
    await expect.poll(() => server.sql(waiting)).toHaveLength(requests.length);
    await client.query('commit');
    return Promise.all(answers);
  });
const waiting =
  'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()';

async function expectOneSucceeds(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await server.sql('insert into user_roles values (1, 1), ($1, 1) on conflict do nothing', [other]);
    await server.sql('update users set active = true');
    const answers = await concurrently(round % 2 === 0 ? [first, second] : [second, first]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toMatchObject([{ status: 409, body: { code: 'last_admin' } }]);
    const [row] = await server.sql(
      'select count(*) from users join user_roles on user_id = id where role_id = 1 and active',
    );
    expect(row).toEqual({ count: '1' });
  }
}

describe('two administrators who concurrently remove each other', () => {
  it('leave one administrator if each deactivates the other', () =>
    expectOneSucceeds(
      () => server.call('deleteUser', { params: { id: other }, as: 'admin' }),
      () => server.call('deleteUser', { params: { id: admin }, as: 'other' }),
    ));

  it('leave one administrator if one request deactivates a user and the other removes a role', () =>
    expectOneSucceeds(
      () => server.call('updateUser', { params: { id: other }, body: { active: false }, as: 'admin' }),
      () => server.call('removeUserRole', { params: { username: 'admin', role_name: 'admin' }, as: 'other' }),
    ));
});
