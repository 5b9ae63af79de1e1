/** Signing in with HTTP Basic: who is let in, who is slowed, and what is remembered for how long. */
import { get, type IncomingMessage } from 'node:http';
import { basic } from '@milepost/api';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { createPasswords } from '../passwords.ts';
import { findAccount, strengthenPassword } from '../routes/people.ts';
import { countFailures, removeOldTries } from '../store/sign-in-failures.ts';
import { createCredentialsCheck } from './check-credentials.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { MILEPOST_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.stop());

let people = 0;
const person = async () => {
  const username = `person${++people}`;
  return { username, id: await server.addUser(username, ['user']) };
};

interface Attempt {
  authorization?: string;
  from?: string;
}
const attempt = ({ authorization, from = '10.0.0.1' }: Attempt) =>
  server.call('listCohorts', {
    as: null,
    headers: { ...(authorization !== undefined && { authorization }), 'x-forwarded-for': from },
  });
const signIn = (login: string, password = testPassword, from?: string) =>
  attempt({ authorization: basic(login, password), ...(from !== undefined && { from }) });
const failTimes = async (times: number, login: string, from?: string) => {
  for (let count = 0; count < times; count++) expect((await signIn(login, `wrong ${count}`, from)).status).toBe(401);
};

describe('a request', () => {
  it('with a wrong password, an unknown user or an inactive one is 401 in the same words', async () => {
    const { username } = await person();
    await server.addUser('inactive', ['user'], false);
    const answers = [
      await signIn(username, 'not the password'),
      await signIn('nobody'),
      await signIn('nobody@example.org'),
      await signIn('inactive'),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([401, 'wrong_credentials']);
      expect(body.detail).toBe('There is no active account with this name and password.');
    }
  });

  it('without credentials is 401 and says how to sign in', async () => {
    const { status, body } = await attempt({});
    expect([status, body.code]).toEqual([401, 'not_signed_in']);
    expect(body.detail).toContain('HTTP Basic');
  });

  it.each([
    'Basic',
    'Basic !!!',
    `Basic ${btoa('nocolon')}`,
    `Basic ${btoa(':password')}`,
    `Basic ${btoa('a\0:password')}`,
    `Bearer ${btoa('admin:x')}`,
    'admin:password',
  ])('with the header %j is 401', async (authorization) => {
    const { status, body } = await attempt({ authorization });
    expect([status, body.code]).toEqual([401, 'wrong_credentials']);
  });

  it('with credentials in another spelling of the scheme is let in', async () => {
    const { username } = await person();
    const authorization = basic(username, testPassword).replace('Basic ', 'bASIC  ');
    expect((await attempt({ authorization })).status).toBe(200);
  });
});

/** Not by fetch, which sends Sec-Fetch-Mode like a browser. */
const refusal = (headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(`${server.baseUrl}/users`, { headers, agent: false }, (response) => resolve(response.resume()));
    request.once('error', reject);
  });

describe('WWW-Authenticate', () => {
  it.each([{}, { authorization: basic('nobody', 'wrong') }, { authorization: 'Bearer x' }])(
    'comes with a 401 for %j',
    async (headers) => {
      const response = await refusal(headers);
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Basic realm="Milepost", charset="UTF-8"');
    },
  );

  it('stays away from the own script of a page, over which a browser would open its dialog', async () => {
    const response = await refusal({ 'sec-fetch-mode': 'cors' });
    expect(response.statusCode).toBe(401);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  it('does not come with 403', async () => {
    const { username } = await person();
    const response = await refusal({ authorization: basic(username, testPassword) });
    expect(response.statusCode).toBe(403);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });
});

/** Until the failures that were counted last are over, by the clock of the database, in which they are counted. */
async function secondsLeft(): Promise<number> {
  const [row] = await server.sql<{ seconds: number }>(
    `select extract(epoch from max(since) + interval '15 minutes' - clock_timestamp())::float as seconds from sign_in_failures`,
  );
  return row?.seconds ?? Number.NaN;
}

/** A number of whole seconds that was right between two readings. */
const expectBetween = (seconds: number, before: number, after: number) =>
  expect([seconds <= Math.ceil(before), seconds >= Math.floor(after)]).toEqual([true, true]);

describe('after 10 failures', () => {
  it('the account is closed to that address, also for the right password, and says for how long (V6.3.1)', async () => {
    const { username } = await person();
    await failTimes(10, username);
    const before = await secondsLeft();
    const { status, body, headers } = await signIn(username);
    expect([status, body.code]).toEqual([429, 'too_many_failures']);
    const seconds = Number(headers.get('retry-after'));
    expectBetween(seconds, before, await secondsLeft());
    expect(body.detail).toContain(`Wait ${seconds} s`);
  });

  it('another address and other accounts go on', async () => {
    const [{ username }, other] = [await person(), await person()];
    await failTimes(10, username);
    expect((await signIn(username)).status).toBe(429);
    expect((await signIn(username, testPassword, '10.0.0.2')).status).toBe(200);
    expect((await signIn(other.username)).status).toBe(200);
  });

  it('credentials that are remembered go on', async () => {
    const { username, id } = await person();
    const { enter } = withClock();
    await enter(username);
    for (let count = 0; count < 10; count++)
      await expect(enter(username, 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await expect(enter(username, 'wrong')).rejects.toMatchObject({ code: 'too_many_failures' });
    expect((await enter(username)).id).toBe(id);
  });

  it('of a name that nobody has, the answer is the same', async () => {
    await failTimes(10, 'nobody at all');
    expect((await signIn('nobody at all')).body.code).toBe('too_many_failures');
  });

  it('in another case it is the same account', async () => {
    const { username } = await person();
    await failTimes(5, username);
    await failTimes(5, username.toUpperCase());
    expect((await signIn(username)).status).toBe(429);
  });

  it('in other letters that count as the same, the account is closed', async () => {
    const { username } = await person();
    await failTimes(5, username);
    await failTimes(5, username.replace('p', 'ｐ'));
    expect((await signIn(username)).status).toBe(429);
  });

  it('all sent at the same moment, no more than ten were tried', async () => {
    const { username } = await person();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => signIn(username, `wrong ${index}`)));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
  });
});

describe('a password', () => {
  it('that was changed is refused at once, although it was remembered', async () => {
    const { username, id } = await person();
    expect((await signIn(username)).status).toBe(200);
    await server.call('updateUser', { params: { id }, body: { password: 'another fine sentence' } });
    expect((await signIn(username)).status).toBe(401);
    expect((await signIn(username, 'another fine sentence')).status).toBe(200);
  });

  it('whose stored hash is weak gets a strong one at sign-in, and goes on (V11.2.2)', async () => {
    const { username, id } = await person();
    const weak = await hash(testPassword, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await server.sql('update users set password_hash = $2 where id = $1', [id, weak]);
    const stored = async () =>
      (await server.sql<{ hash: string }>('select password_hash as hash from users where id = $1', [id]))[0]?.hash;
    expect((await signIn(username, 'wrong')).status).toBe(401);
    expect(await stored()).toBe(weak);
    expect((await signIn(username)).status).toBe(200);
    const strong = await stored();
    expect(strong).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect((await signIn(username)).status).toBe(200);
    expect(await stored()).toBe(strong);
  });
});

/** The real thing with a clock of ours and a count of how often a password was really verified. */
const withClock = () => {
  const real = createPasswords();
  const clock = { now: 1_000_000, verified: 0 };
  const passwords = {
    ...real,
    verify: (...given: Parameters<typeof real.verify>) => {
      clock.verified += 1;
      return real.verify(...given);
    },
  };
  const { db } = server.database;
  const check = createCredentialsCheck(
    {
      find: (login) => findAccount(db, login),
      strengthen: (account, password) => strengthenPassword(db, passwords, account, password),
    },
    passwords,
    countFailures(db, 10),
    () => clock.now,
  );
  const enter = (login: string, password = testPassword) => check({ login, password, address: '10.0.0.9' });
  return { clock, enter };
};

/** Failures are counted by the clock of the database: what it has of them is made older. */
const laterBy = (time: string) => server.sql('update sign_in_failures set since = since - $1::interval', [time]);

describe('what is kept of failures', () => {
  it('holds no name that was typed', async () => {
    const typed = 'my password in the wrong field';
    await failTimes(1, typed);
    const rows = await server.sql<{ row: string }>('select one::text as row from sign_in_failures as one');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(typed);
      expect(row).not.toContain(Buffer.from(typed).toString('hex'));
    }
  });
});

describe('time', () => {
  it('a verified password is remembered for 60 s and not longer', async () => {
    const { username, id } = await person();
    const { clock, enter } = withClock();
    await enter(username);
    clock.now += 59_999;
    expect((await enter(username)).id).toBe(id);
    expect(clock.verified).toBe(1);
    clock.now += 2;
    await enter(username);
    expect(clock.verified).toBe(2);
  });

  it('a wrong password is never remembered', async () => {
    const { username } = await person();
    const { clock, enter } = withClock();
    for (let count = 0; count < 2; count++) await expect(enter(username, 'wrong')).rejects.toThrow('no active account');
    expect(clock.verified).toBe(2);
  });

  it('15 minutes after the first of 10 failures the account is open again', async () => {
    const { username, id } = await person();
    const { clock, enter } = withClock();
    for (let count = 0; count < 10; count++)
      await expect(enter(username, 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await laterBy('10 minutes');
    const before = await secondsLeft();
    const refused = await enter(username).catch((error: { code: string; retryAfterSeconds: number }) => error);
    expect(refused).toMatchObject({ code: 'too_many_failures' });
    expectBetween((refused as { retryAfterSeconds: number }).retryAfterSeconds, before, await secondsLeft());
    expect(clock.verified).toBe(10);
    await laterBy('5 minutes');
    expect((await enter(username)).id).toBe(id);
  });

  it('a failure after that begins the count anew', async () => {
    const { username } = await person();
    const { enter } = withClock();
    const fail = () => expect(enter(username, 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    for (let count = 0; count < 10; count++) await fail();
    await laterBy('15 minutes');
    for (let count = 0; count < 10; count++) await fail();
    await expect(enter(username)).rejects.toMatchObject({ code: 'too_many_failures' });
  });

  it('nothing is left of failures that are over, and the others stay', async () => {
    const [{ username }, other] = [await person(), await person()];
    await failTimes(1, username);
    await laterBy('15 minutes');
    await failTimes(1, other.username);
    const rows = () => server.sql<{ count: number }>('select count from sign_in_failures');
    await removeOldTries(server.database.db);
    expect(await rows()).toEqual([{ count: 1 }, { count: 1 }]);
  });
});
