/** @module-tag sql */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../testing/open-database.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import type { Database } from '../../database/connection.ts';
import { createPasswords } from '../../passwords.ts';
import { createFirstAdmin } from './create-first-admin.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.databaseUrl);
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const passwords = createPasswords();
const create = (password = '') =>
  createFirstAdmin(database.db, passwords, { username: 'boss', email: 'boss@example.org', password });
const users = () =>
  withClient(testDatabase.ownerUrl, async (client) => {
    const { rows } = await client.query<{ username: string; role: string; password_hash: string; active: boolean }>(
      `select username, roles.name as role, password_hash, active
       from users join user_roles on user_id = users.id join roles on roles.id = role_id`,
    );
    return rows;
  });

describe('createFirstAdmin', () => {
  it('creates an active admin with the configured password and does not return the password', async () => {
    const password = 'a configured passphrase';
    expect(await create(password)).toEqual({ username: 'boss', generatedPassword: undefined });
    const [user] = await users();
    expect(user).toMatchObject({ username: 'boss', role: 'admin', active: true });
    expect(await passwords.verify(user?.password_hash, password)).toBe(true);
  });

  it('generates a password if none is configured, and returns it once (V6.3.2)', async () => {
    const created = await create();
    expect(created?.generatedPassword).toMatch(/^[\w-]{24}$/);
    const [user] = await users();
    expect(await passwords.verify(user?.password_hash, created?.generatedPassword ?? '')).toBe(true);
    expect(await create()).toBeUndefined();
  });

  it('rejects a weak password and creates no user', async () => {
    await expect(create('Password2026!')).rejects.toThrow('too common');
    await expect(create('short')).rejects.toThrow('at least 12');
    expect(await users()).toEqual([]);
  });

  it('creates one user if it is called eight times at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => create()));
    expect(created.filter((admin) => admin !== undefined)).toHaveLength(1);
    expect(await users()).toHaveLength(1);
  });

  it('does nothing if users exist, even if none is an admin', async () => {
    await withClient(testDatabase.ownerUrl, (client) =>
      client.query(`insert into users (username, username_key, email, email_key) values ('a', 'a', 'a@b', 'a@b')`),
    );
    expect(await create()).toBeUndefined();
    expect(await users()).toEqual([]);
  });
});
