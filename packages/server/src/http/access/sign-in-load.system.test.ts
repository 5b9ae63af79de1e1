/** Signing in under load: real hashes, failures in the database, accounts in memory. */
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import { openDatabase, type Database } from '../../database/connection.ts';
import { createPasswords, type Passwords } from '../../passwords.ts';
import { allCohorts } from '../../store/scope.ts';
import { countFailures } from '../../store/people/sign-in-failures.ts';
import { createCredentialsCheck } from './check-credentials.ts';
import type { Account } from '../call.ts';

const password = 'correct horse battery staple';
const address = '10.0.0.1';
/** The limits of concurrent and waiting hashes. */
const [maxConcurrent, maxWaiting] = [2, 200];

/** A fast hash, so that a full queue is soon empty again. */
let cheap: string;
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  cheap = await hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  testDatabase = await createTestDatabase();
  const { databaseUrl } = testDatabase;
  database = openDatabase({
    databaseUrl,
    poolSize: 10,
    streamPoolSize: 1,
    onError: () => undefined,
    statementSeconds: 60,
  });
});
beforeEach(() => database.db.deleteFrom('sign_in_failures').execute());
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const account = (id: number, username: string, passwordHash: string): Account => ({
  id,
  username,
  passwordHash,
  active: true,
  roles: [],
  permissions: new Set(),
  cohortRoles: [],
  scope: allCohorts,
});

/** Requests that start in the same turn of the event loop overlap, because no hash ends before the next turn. */
function signInWith(...accounts: Account[]) {
  const stored = new Map(accounts.map((one) => [one.username, one]));
  const passwords = createPasswords();
  const check = createCredentialsCheck(
    { find: async (login) => stored.get(login), strengthen: async () => undefined },
    passwords,
    countFailures(database.db, 10),
  );
  const signIn = async (login: string, given = password, from = address) => {
    const { id } = await check({ login, password: given, address: from });
    return id;
  };
  return { signIn, passwords, store: (one: Account) => stored.set(one.username, one) };
}

/**
 * Occupies all slots and the whole queue. Each check is repeated in the same turn of the event loop, so that no other check gets
 * a slot until the returned function is called.
 */
function occupyAllSlots(passwords: Passwords): () => Promise<unknown> {
  const releasing = new AbortController();
  const verifyRepeatedly = async () => {
    while (!releasing.signal.aborted) await passwords.verify(cheap, password);
  };
  const all = Promise.all(Array.from({ length: maxConcurrent + maxWaiting }, verifyRepeatedly));
  return () => {
    releasing.abort();
    return all;
  };
}

const rejectedWith = (code: string) => ({ status: 'rejected', reason: expect.objectContaining({ code }) });

describe('a password change during a check', () => {
  it('makes later checks of the old password fail, even though the running check succeeds', async () => {
    const passwords = createPasswords();
    const [old, changed] = [await passwords.hash(password), await passwords.hash('another fine sentence')];
    const { signIn, store } = signInWith(account(1, 'ann', old));
    const before = signIn('ann');
    store(account(1, 'ann', changed));
    const after = signIn('ann');
    expect(await Promise.allSettled([before, after])).toEqual([
      { status: 'fulfilled', value: 1 },
      rejectedWith('wrong_credentials'),
    ]);
    await expect(signIn('ann')).rejects.toMatchObject({ code: 'wrong_credentials' });
    expect(await signIn('ann', 'another fine sentence')).toBe(1);
  });

  it('makes later checks of the new password succeed, even though the running check fails', async () => {
    const passwords = createPasswords();
    const [old, changed] = [await passwords.hash('another fine sentence'), await passwords.hash(password)];
    const { signIn, store } = signInWith(account(1, 'ann', old));
    const before = signIn('ann');
    store(account(1, 'ann', changed));
    expect(await Promise.allSettled([before, signIn('ann')])).toEqual([
      rejectedWith('wrong_credentials'),
      { status: 'fulfilled', value: 1 },
    ]);
  });
});

describe('a sign-in that is rejected as busy', () => {
  it('does not count as a failure, so the right password is accepted after 30 of them', async () => {
    const { signIn, passwords } = signInWith(account(1, 'ann', cheap));
    await passwords.verify(cheap, password);
    const release = occupyAllSlots(passwords);
    for (let count = 0; count < 30; count++)
      await expect(signIn('ann', 'wrong')).rejects.toMatchObject({ code: 'busy' });
    await release();
    expect(await signIn('ann')).toBe(1);
  });

  it('does not remove an earlier failure', async () => {
    const { signIn, passwords } = signInWith(account(1, 'ann', cheap));
    for (let count = 0; count < 9; count++)
      await expect(signIn('ann', 'wrong')).rejects.toThrow('The username or password is wrong');
    const release = occupyAllSlots(passwords);
    await expect(signIn('ann', 'wrong')).rejects.toMatchObject({ code: 'busy' });
    await release();
    await expect(signIn('ann', 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await expect(signIn('ann')).rejects.toMatchObject({ code: 'too_many_failures' });
  });
});

const fail = async (signIn: (login: string, given: string) => Promise<number>, login: string) => {
  for (let count = 0; count < 10; count++)
    await expect(signIn(login, 'wrong')).rejects.toThrow('The username or password is wrong');
};

describe('a login that looks like the id of an account', () => {
  it.each(['7', 'id 7', 'name 7'])('such as %j does not lock account 7 after ten failures', async (login) => {
    const { signIn } = signInWith(account(7, 'ann', cheap));
    await fail(signIn, login);
    expect(await signIn('ann')).toBe(7);
  });

  it('is still checked if that account is locked', async () => {
    const { signIn } = signInWith(account(7, 'ann', cheap));
    await fail(signIn, 'ann');
    await expect(signIn('ann')).rejects.toMatchObject({ code: 'too_many_failures' });
    await expect(signIn('7')).rejects.toMatchObject({ code: 'wrong_credentials' });
  });

  it('does not lock that account if it is the username of another account', async () => {
    const { signIn } = signInWith(account(7, 'ann', cheap), account(8, '7', cheap));
    await fail(signIn, '7');
    expect(await signIn('ann')).toBe(7);
  });
});

describe('eight successful sign-ins at the same time, one per server', () => {
  it('leave the failure count at zero', async () => {
    const counts = countFailures(database.db, 10);
    const everyServer = Array.from({ length: 8 });
    await Promise.all(everyServer.map(() => counts.add('ann')));
    await withClient(testDatabase.superuserUrl, async (client) => {
      // Locks the row until all eight have read the count and wait.
      await client.query('begin; select from sign_in_failures for update');
      const takenBack = Promise.all(everyServer.map(() => counts.removeAttempt('ann')));
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(8);
      await client.query('commit');
      await takenBack;
    });
    expect(await database.db.selectFrom('sign_in_failures').select('count').execute()).toEqual([]);
  });
});

describe('300 concurrent sign-ins from one address', () => {
  it('are rejected as busy except for 100, while other addresses can sign in (V2.4.1)', async () => {
    const guessed = Array.from({ length: 300 }, (_, index) => account(index + 1, `person${index}`, cheap));
    const { signIn } = signInWith(account(1000, 'ann', cheap), ...guessed);
    await signIn('ann', password, '10.0.0.3');
    const flood = guessed.map(({ username }) => signIn(username, 'wrong', '10.0.0.2'));
    const [others, guesses] = await Promise.all([signIn('ann'), Promise.allSettled(flood)]);
    expect(others).toBe(1000);
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.code : 'signed in'));
    expect(Object.groupBy(codes, (code) => code)).toEqual({
      wrong_credentials: Array(100).fill('wrong_credentials'),
      busy: Array(200).fill('busy'),
    });
    expect(await signIn('person0', password, '10.0.0.2')).toBe(1);
  });
});
