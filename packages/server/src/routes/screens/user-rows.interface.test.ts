/**
 * The list of users: roles with cohorts, last sign-in, last use of a token, filters and access.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../../testing/server.ts';
import { openSession, signIn } from '../../../testing/sessions.ts';
import { createTestToken } from '../../../testing/tokens.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface TestUser {
  id: number;
  username: string;
}

async function createUser(values: object = {}): Promise<TestUser> {
  const username = world.fresh('person').replace(' ', '_');
  const body = { username, email: `${username}@example.org`, password: testPassword, roles: [], ...values };
  const { status, body: user } = await server.call('createUser', { body });
  expect(status).toBe(201);
  return user;
}

const rowOf = async ({ id }: { id: number }, parts: Parts = {}) => {
  const { body } = await server.call('listUserRows', { query: { after: id - 1, limit: 1 }, ...parts });
  expect(body.users[0].id).toBe(id);
  return body.users[0];
};

const ref = (kind: string, { id, ...rest }: { id: number; label?: string; name?: string }) => ({
  id,
  ...rest,
  uri: `/api/v2/${kind}/${id}`,
});

describe('the roles in a row', () => {
  it('are first those for all cohorts, then those in cohorts with their number and the first three', async () => {
    const cohorts = [];
    for (let n = 0; n < 5; n++) cohorts.push(await world.cohort());
    const ids = cohorts.map(({ id }) => id);
    const user = await createUser({
      roles: [
        { role_name: 'superuser', cohort_ids: ids.toReversed() },
        { role_name: 'user', cohort_ids: null },
      ],
    });
    const first = cohorts.slice(0, 3).map(({ id, label }) => ref('cohorts', { id, label }));
    expect((await rowOf(user)).roles).toEqual([
      { role: ref('roles', { id: 3, name: 'user' }), cohorts: null },
      { role: ref('roles', { id: 2, name: 'superuser' }), cohorts: { total: 5, first } },
    ]);
  });

  it('are empty for a user without roles, and null for a caller without roles_manage', async () => {
    const user = await createUser();
    expect((await rowOf(user)).roles).toEqual([]);
    const { username: as } = await world.user('user_read_all');
    expect((await rowOf(user, { as })).roles).toBeNull();
    const { username: manager } = await world.user('user_read_all', 'roles_manage');
    expect((await rowOf(user, { as: manager })).roles).toEqual([]);
  });
});

describe('the last sign-in in a row', () => {
  it('is null until the user signs in with a browser, and then the time of the newest session', async () => {
    const user = await createUser({ roles: [{ role_name: 'user', cohort_ids: null }] });
    await server.call('getSession', { as: user.username });
    expect((await rowOf(user)).last_sign_in_at).toBeNull();
    for (let n = 0; n < 2; n++) {
      const { id } = await openSession(server, user.username);
      const [session] = await server.sql<{ at: Date }>('select created_at as at from sessions where id = $1', [id]);
      expect((await rowOf(user)).last_sign_in_at).toBe(session?.at.toISOString());
    }
  });

  it('stays when the session is deleted', async () => {
    const user = await createUser();
    await openSession(server, user.username);
    const { last_sign_in_at: before } = await rowOf(user);
    await server.sql('delete from sessions where user_id = $1', [user.id]);
    expect((await rowOf(user)).last_sign_in_at).toBe(before);
    expect(before).not.toBeNull();
  });

  it('does not change the ETag of the user, and is not part of the user', async () => {
    const user = await createUser();
    const read = () => server.call('getUser', { params: { id: user.id } });
    const before = await read();
    await openSession(server, user.username);
    const after = await read();
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    expect(after.headers.get('etag')).not.toBeNull();
    expect(after.body).toEqual(before.body);
  });

  it('is written by many sign-ins of one user at the same time', async () => {
    const user = await createUser();
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(server, user.username)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect((await rowOf(user)).last_sign_in_at).not.toBeNull();
  });

  it('is not written by a wrong password', async () => {
    const user = await createUser();
    await signIn(server, user.username, { password: 'not the password' });
    expect((await rowOf(user)).last_sign_in_at).toBeNull();
  });
});

describe('a service account', () => {
  it('is marked, and shows when one of its tokens was last used', async () => {
    const user = await createUser({ password: undefined });
    const row = await rowOf(user);
    expect(row).toMatchObject({ kind: 'service_account', last_sign_in_at: null, token_last_used_at: null });
    await server.sql(
      `insert into api_tokens (user_id, token_hash, name, permissions, created_at, expires_at, last_used_at)
       select $1, sha256(('token ' || day)::bytea), 'x', '{}', '2026-01-01Z', '2026-03-01Z', day from unnest($2::timestamptz[]) day`,
      [user.id, ['2026-01-02Z', '2026-01-05Z', '2026-01-03Z']],
    );
    expect((await rowOf(user)).token_last_used_at).toBe('2026-01-05T00:00:00.000Z');
  });

  it('is no person with a password, of single sign-on, or with a pending first password', async () => {
    const [withPassword, withIdentity, invited] = [
      await createUser(),
      await createUser({ password: undefined }),
      await createUser({ password: undefined }),
    ];
    await server.sql(
      `insert into user_identities (user_id, issuer, subject) values ($1, 'https://idp.example.org', 'x')`,
      [withIdentity.id],
    );
    await server.sql('update users set awaits_password = true where id = $1', [invited.id]);
    await createTestToken(server, withPassword);
    for (const user of [withPassword, withIdentity, invited]) {
      expect(await rowOf(user)).toMatchObject({ kind: 'person', token_last_used_at: null });
    }
  });
});

const found = async (query: NonNullable<Parts['query']>): Promise<string[]> => {
  const { status, body } = await server.call('listUserRows', { query });
  expect(status).toBe(200);
  return body.users.map(({ username }: TestUser) => username);
};

describe('the filters', () => {
  it('find every word in the name, username or e-mail address, ignoring case and accents', async () => {
    const jose = await createUser({ name: 'José 100% Álvarez', email: 'JA@clinic.example.net' });
    const joke = await createUser({ name: 'Joke Jansen', email: 'joke@clinic.example.net' });
    const both = [jose.username, joke.username];
    expect(await found({ find: 'CLINIC.example' })).toEqual(both);
    expect(await found({ find: 'alvarez JOSE' })).toEqual([jose.username]);
    expect(await found({ find: ' ÁLVAREZ ' })).toEqual([jose.username]);
    expect(await found({ find: 'jansen clinic' })).toEqual([joke.username]);
    expect(await found({ find: 'jansen alvarez' })).toEqual([]);
    expect(await found({ find: joke.username.toUpperCase() })).toEqual([joke.username]);
    expect(await found({ find: '100%' })).toEqual([jose.username]);
    expect(await found({ find: '_o%e' })).toEqual([]);
  });

  it('find words within one of the three texts only', async () => {
    await createUser({ name: 'Ada', email: 'b@seam.example.net' });
    expect(await found({ find: 'seam.example.netada' })).toEqual([]);
  });

  it('list only active or only deactivated users, also with a text and by pages', async () => {
    const users = [];
    for (let n = 0; n < 4; n++) users.push(await createUser({ name: `Paged ${n}`, active: n !== 1 }));
    const names = users.map(({ username }) => username);
    expect(await found({ find: 'paged', active: false })).toEqual([names[1]]);
    expect(await found({ find: 'paged', active: true })).toEqual([names[0], names[2], names[3]]);
    expect(await found({ find: 'paged', active: true, limit: 2 })).toEqual([names[0], names[2]]);
    expect(await found({ find: 'paged', active: true, limit: 2, after: users[2]?.id ?? 0 })).toEqual([names[3]]);
  });
});

describe('a caller', () => {
  it('without user_read_all, or with it in one cohort only, is rejected', async () => {
    const { username: reader } = await world.user('user_read');
    const inCohort = await createUser({ roles: [{ role_name: 'admin', cohort_ids: [(await world.cohort()).id] }] });
    for (const as of [reader, inCohort.username]) {
      const { status, body } = await server.call('listUserRows', { as });
      expect([status, body.code]).toEqual([403, 'not_allowed']);
    }
  });
});
