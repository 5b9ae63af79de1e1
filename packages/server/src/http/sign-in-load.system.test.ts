/** Signing in while much goes on at once: real hashes, failures in the database, and accounts in memory. */
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/postgres.ts';
import { openDatabase, type Database } from '../database/connection.ts';
import { createPasswords, type Passwords } from '../passwords.ts';
import { allCohorts } from '../store/scope.ts';
import { countFailures } from '../store/sign-in-failures.ts';
import { createCredentialsCheck } from './check-credentials.ts';
import type { Account } from './call.ts';

const password = 'correct horse battery staple';
const address = '10.0.0.1';
/** As many as may be hashed, and as many as may wait. */
const [mostAtOnce, mostWaiting] = [2, 200];

/** A hash that costs next to nothing, so that a full queue is empty again in no time. */
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
    streamPauseSeconds: 30,
    onError: () => undefined,
    patience: { connectMs: 60_000, statementMs: 60_000, lockMs: 20_000 },
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

/** Requests that begin in the same turn of the event loop overlap: no hash ends before the next turn. */
function signInWith(...accounts: Account[]) {
  const stored = new Map(accounts.map((one) => [one.username, one]));
  const passwords = createPasswords();
  const check = createCredentialsCheck(
    { find: async (login) => stored.get(login), strengthen: async () => undefined },
    passwords,
    countFailures(database.db, 10),
  );
  const enter = async (login: string, given = password, from = address) => {
    const { id } = await check({ login, password: given, address: from });
    return id;
  };
  return { enter, passwords, store: (one: Account) => stored.set(one.username, one) };
}

/**
 * As many as may be checked and as many as may wait, each of whom comes back in the same turn of the event loop: nobody else
 * finds a place until the function that is returned is called.
 */
function takeAllPlaces(passwords: Passwords): () => Promise<unknown> {
  const releasing = new AbortController();
  const comeBack = async () => {
    while (!releasing.signal.aborted) await passwords.verify(cheap, password);
  };
  const all = Promise.all(Array.from({ length: mostAtOnce + mostWaiting }, comeBack));
  return () => {
    releasing.abort();
    return all;
  };
}

const refusedAs = (code: string) => ({ status: 'rejected', reason: expect.objectContaining({ code }) });

describe('a password that is changed while the old one is being verified', () => {
  it('lets nobody in with the old one who comes after the change, and does not remember it', async () => {
    const passwords = createPasswords();
    const [old, changed] = [await passwords.hash(password), await passwords.hash('another fine sentence')];
    const { enter, store } = signInWith(account(1, 'ann', old));
    const before = enter('ann');
    store(account(1, 'ann', changed));
    const after = enter('ann');
    expect(await Promise.allSettled([before, after])).toEqual([
      { status: 'fulfilled', value: 1 },
      refusedAs('wrong_credentials'),
    ]);
    await expect(enter('ann')).rejects.toMatchObject({ code: 'wrong_credentials' });
    expect(await enter('ann', 'another fine sentence')).toBe(1);
  });

  it('lets those in who come with the new one, whatever the old one is answered', async () => {
    const passwords = createPasswords();
    const [old, changed] = [await passwords.hash('another fine sentence'), await passwords.hash(password)];
    const { enter, store } = signInWith(account(1, 'ann', old));
    const before = enter('ann');
    store(account(1, 'ann', changed));
    expect(await Promise.allSettled([before, enter('ann')])).toEqual([
      refusedAs('wrong_credentials'),
      { status: 'fulfilled', value: 1 },
    ]);
  });
});

describe('a try that is told to come back, as all places are taken', () => {
  it('is no failure: after 30 of them the right password signs in', async () => {
    const { enter, passwords } = signInWith(account(1, 'ann', cheap));
    await passwords.verify(cheap, password);
    const release = takeAllPlaces(passwords);
    for (let count = 0; count < 30; count++)
      await expect(enter('ann', 'wrong')).rejects.toMatchObject({ code: 'busy' });
    await release();
    expect(await enter('ann')).toBe(1);
  });

  it('takes no failure away that was counted before', async () => {
    const { enter, passwords } = signInWith(account(1, 'ann', cheap));
    for (let count = 0; count < 9; count++) await expect(enter('ann', 'wrong')).rejects.toThrow('no active account');
    const release = takeAllPlaces(passwords);
    await expect(enter('ann', 'wrong')).rejects.toMatchObject({ code: 'busy' });
    await release();
    await expect(enter('ann', 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await expect(enter('ann')).rejects.toMatchObject({ code: 'too_many_failures' });
  });
});

const fail = async (enter: (login: string, given: string) => Promise<number>, login: string) => {
  for (let count = 0; count < 10; count++) await expect(enter(login, 'wrong')).rejects.toThrow('no active account');
};

describe('a login that looks like the id of an account', () => {
  it.each(['7', 'id 7', 'name 7'])('%j fails ten times, and the account 7 is still open', async (login) => {
    const { enter } = signInWith(account(7, 'ann', cheap));
    await fail(enter, login);
    expect(await enter('ann')).toBe(7);
  });

  it('is still answered when the account of that id is closed', async () => {
    const { enter } = signInWith(account(7, 'ann', cheap));
    await fail(enter, 'ann');
    await expect(enter('ann')).rejects.toMatchObject({ code: 'too_many_failures' });
    await expect(enter('7')).rejects.toMatchObject({ code: 'wrong_credentials' });
  });

  it('is an account of its own where somebody has it as the username', async () => {
    const { enter } = signInWith(account(7, 'ann', cheap), account(8, '7', cheap));
    await fail(enter, '7');
    expect(await enter('ann')).toBe(7);
  });
});

describe('the right password, sent to eight servers at once', () => {
  it('leaves no failure behind', async () => {
    const counts = countFailures(database.db, 10);
    const everyServer = Array.from({ length: 8 });
    await Promise.all(everyServer.map(() => counts.add('ann')));
    await withClient(testDatabase.superuserUrl, async (client) => {
      // Until all of them wait, and have seen how many there are.
      await client.query('begin; select from sign_in_failures for update');
      const takenBack = Promise.all(everyServer.map(() => counts.takeBack('ann')));
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(8);
      await client.query('commit');
      await takenBack;
    });
    expect(await database.db.selectFrom('sign_in_failures').select('count').execute()).toEqual([]);
  });
});

describe('one address with 300 sign-ins at once', () => {
  it('is told to come back beyond 100 of them, while others sign in (V2.4.1)', async () => {
    const guessed = Array.from({ length: 300 }, (_, index) => account(index + 1, `person${index}`, cheap));
    const { enter } = signInWith(account(1000, 'ann', cheap), ...guessed);
    await enter('ann', password, '10.0.0.3');
    const flood = guessed.map(({ username }) => enter(username, 'wrong', '10.0.0.2'));
    const [others, guesses] = await Promise.all([enter('ann'), Promise.allSettled(flood)]);
    expect(others).toBe(1000);
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.code : 'signed in'));
    expect(Object.groupBy(codes, (code) => code)).toEqual({
      wrong_credentials: Array(100).fill('wrong_credentials'),
      busy: Array(200).fill('busy'),
    });
    expect(await enter('person0', password, '10.0.0.2')).toBe(1);
  });
});
