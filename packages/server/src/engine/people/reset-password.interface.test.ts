/** A password that the operator resets through the database. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { createPasswords } from '../../passwords.ts';
import { resetPassword } from './reset-password.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.addUserWith('anna', 'sample_add');
});
afterAll(() => server.stop());

const reset = (login: string, password?: string) =>
  resetPassword(server.database.db, createPasswords(), { login, password });

const signsInWith = async (username: string, password: string) =>
  (await fetch(`${server.baseUrl}/cohorts`, { headers: { authorization: basic(username, password) } })).status;

describe('resetPassword', () => {
  it('sets a generated password, also by e-mail address', async () => {
    const { username, password } = await reset('ANNA');
    expect(username).toBe('anna');
    expect(password).toMatch(/^[\w-]{24}$/);
    const [row] = await server.sql<{ email: string }>(`select email from users where username = 'anna'`);
    const again = await reset(row?.email ?? '');
    expect(again.password).not.toBe(password);
    expect(await signsInWith('anna', password)).toBe(401);
    expect(await signsInWith('anna', again.password)).toBe(200);
  });

  it('records the change with the operator as its author, without the password', async () => {
    const { password } = await reset('anna');
    const rows = await server.sql<{ actor_kind: string; operation: string; after: object }>(
      `select actor_kind, operation, after from history where object_kind = 'user' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ actor_kind: 'operator', operation: 'resetPassword', after: { password: 'changed' } }]);
    const [leak] = await server.sql<{ found: boolean }>(
      `select exists (select from history where position($1 in coalesce(after::text, '')) > 0) as found`,
      [password],
    );
    expect(leak?.found).toBe(false);
  });

  it('ends the sessions of the user', async () => {
    const count = async () =>
      (
        await server.sql<{ count: number }>(
          `select count(*)::int as count from sessions join users on users.id = user_id where username = 'anna' and ended_at is null`,
        )
      )[0]?.count;
    await server.sql(
      `insert into sessions (user_id, token_hash, address, user_agent)
       select id, sha256('some token'), '127.0.0.1', 'a browser' from users where username = 'anna'`,
    );
    expect(await count()).toBe(1);
    await reset('anna');
    expect(await count()).toBe(0);
  });

  it.each([
    ['nobody', undefined, 'No user has the username or e-mail address "nobody".'],
    ['left', undefined, 'left is deactivated and cannot sign in. Name a user who can sign in with a password.'],
    [
      'robot',
      undefined,
      'robot is a service account, which signs in with API tokens only. Name a user who can sign in with a password.',
    ],
  ])('is refused for %s', async (login, password, message) => {
    await server.sql(`insert into users (username, username_key, email, email_key, name, active, password_hash)
      values ('left', 'left', 'left@example.org', 'left@example.org', 'Left', false, 'x'),
        ('robot', 'robot', 'robot@example.org', 'robot@example.org', 'Robot', true, null) on conflict do nothing`);
    await expect(reset(login, password)).rejects.toThrow(message);
  });

  it('is refused with a password that is too easy to guess', async () => {
    await expect(reset('anna', 'password1234')).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
