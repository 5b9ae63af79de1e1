/** HTTP Basic: authentication, the limit of failures, and the cache of verified passwords. */
import { get, type IncomingMessage } from 'node:http';
import { basic } from '@milepost/api';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { createPasswords } from '../../passwords.ts';
import { accountOfLogin, rehashPassword } from './accounts.ts';
import { countFailures, removeExpiredFailures } from '../../store/people/sign-in-failures.ts';
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

const attempt = ({ authorization, from = '10.0.0.1' }: { authorization?: string; from?: string }) =>
  server.call('listCohorts', {
    as: null,
    headers: { ...(authorization !== undefined && { authorization }), 'x-forwarded-for': from },
  });
const signIn = (login: string, password = testPassword, from?: string) =>
  attempt({ authorization: basic(login, password), ...(from !== undefined && { from }) });
const failTimes = async (times: number, login: string, from?: string) => {
  for (let count = 0; count < times; count++) expect((await signIn(login, `wrong ${count}`, from)).status).toBe(401);
};

describe('HTTP Basic', () => {
  it('returns the same 401 for a wrong password, an unknown user and an inactive user', async () => {
    const { username } = await person();
    await server.addUser('inactive', ['user'], false);
    const responses = [
      await signIn(username, 'not the password'),
      await signIn('nobody'),
      await signIn('nobody@example.org'),
      await signIn('inactive'),
    ];
    for (const { status, body } of responses) {
      expect([status, body.code]).toEqual([401, 'wrong_credentials']);
      expect(body.detail).toBe('The username or password is wrong, or the account is deactivated.');
    }
  });

  it('returns 401 without credentials and says how to sign in', async () => {
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
  ])('returns 401 for the header %j', async (authorization) => {
    const { status, body } = await attempt({ authorization });
    expect([status, body.code]).toEqual([401, 'wrong_credentials']);
  });

  it('accepts the scheme regardless of case and with several spaces', async () => {
    const { username } = await person();
    const authorization = basic(username, testPassword).replace('Basic ', 'bASIC  ');
    expect((await attempt({ authorization })).status).toBe(200);
  });
});

/** Does not use fetch, which sends Sec-Fetch-Mode like a browser. */
const refusal = (headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const request = get(`${server.baseUrl}/users`, { headers, agent: false }, (response) => resolve(response.resume()));
    request.once('error', reject);
  });

describe('WWW-Authenticate', () => {
  it.each([{}, { authorization: basic('nobody', 'wrong') }, { authorization: 'Bearer x' }])(
    'is sent with the 401 for the headers %j',
    async (headers) => {
      const response = await refusal(headers);
      expect(response.statusCode).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Basic realm="Milepost", charset="UTF-8"');
    },
  );

  it('is not sent to a script, because the browser would open its dialog', async () => {
    const response = await refusal({ 'sec-fetch-mode': 'cors' });
    expect(response.statusCode).toBe(401);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  it('is not sent with 403', async () => {
    const { username } = await person();
    const response = await refusal({ authorization: basic(username, testPassword) });
    expect(response.statusCode).toBe(403);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });
});

/** The seconds until the latest failures expire, by the clock of the database. */
async function secondsLeft(): Promise<number> {
  const [row] = await server.sql<{ seconds: number }>(
    `select extract(epoch from max(since) + interval '15 minutes' - clock_timestamp())::float as seconds from sign_in_failures`,
  );
  return row?.seconds ?? Number.NaN;
}

/** Compares whole seconds with the exact number before and after the request. */
const expectBetween = (seconds: number, before: number, after: number) =>
  expect([seconds <= Math.ceil(before), seconds >= Math.floor(after)]).toEqual([true, true]);

describe('the limit of 10 failures', () => {
  it('rejects even the right password from the same address, and says for how long (V6.3.1)', async () => {
    const { username } = await person();
    await failTimes(10, username);
    const before = await secondsLeft();
    const { status, body, headers } = await signIn(username);
    expect([status, body.code]).toEqual([429, 'too_many_failures']);
    const seconds = Number(headers.get('retry-after'));
    expectBetween(seconds, before, await secondsLeft());
    expect(body.detail).toContain(`Try again in ${seconds} seconds.`);
  });

  it('does not affect other addresses or other accounts', async () => {
    const [{ username }, other] = [await person(), await person()];
    await failTimes(10, username);
    expect((await signIn(username)).status).toBe(429);
    expect((await signIn(username, testPassword, '10.0.0.2')).status).toBe(200);
    expect((await signIn(other.username)).status).toBe(200);
  });

  it('does not affect cached credentials', async () => {
    const { username, id } = await person();
    const { check } = withClock();
    await check(username);
    for (let count = 0; count < 10; count++)
      await expect(check(username, 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await expect(check(username, 'wrong')).rejects.toMatchObject({ code: 'too_many_failures' });
    expect((await check(username)).id).toBe(id);
  });

  it('also applies to an unknown name', async () => {
    await failTimes(10, 'nobody at all');
    expect((await signIn('nobody at all')).body.code).toBe('too_many_failures');
  });

  it('counts failures with a name that differs only in case towards the same account', async () => {
    const { username } = await person();
    await failTimes(5, username);
    await failTimes(5, username.toUpperCase());
    expect((await signIn(username)).status).toBe(429);
  });

  it('counts failures with a full-width spelling of the name towards the same account', async () => {
    const { username } = await person();
    await failTimes(5, username);
    await failTimes(5, username.replace('p', 'ｐ'));
    expect((await signIn(username)).status).toBe(429);
  });

  it('allows at most ten checks of passwords that are sent at the same time', async () => {
    const { username } = await person();
    const responses = await Promise.all(Array.from({ length: 30 }, (_, index) => signIn(username, `wrong ${index}`)));
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
  });
});

describe('a password', () => {
  it('is rejected immediately after it was replaced, even if it was cached', async () => {
    const { username, id } = await person();
    expect((await signIn(username)).status).toBe(200);
    await server.call('updateUser', { params: { id }, body: { password: 'another fine sentence' } });
    expect((await signIn(username)).status).toBe(401);
    expect((await signIn(username, 'another fine sentence')).status).toBe(200);
  });

  it('gets a strong hash at sign-in if the stored hash is weak (V11.2.2)', async () => {
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

/** The real check with a fake clock and a count of password verifications. */
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
  const checkCredentials = createCredentialsCheck(
    {
      find: (login) => accountOfLogin(db, login),
      strengthen: (account, password) => rehashPassword(db, passwords, account, password),
    },
    passwords,
    countFailures(db, 10),
    () => clock.now,
  );
  const check = (login: string, password = testPassword) => checkCredentials({ login, password, address: '10.0.0.9' });
  return { clock, check };
};

/** Makes the stored failures older, because they are counted by the clock of the database. */
const passTime = (time: string) => server.sql('update sign_in_failures set since = since - $1::interval', [time]);

describe('the stored failures', () => {
  it('do not contain the name that a user entered', async () => {
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

describe('the credentials check', () => {
  it('caches a verified password for 60 seconds', async () => {
    const { username, id } = await person();
    const { clock, check } = withClock();
    await check(username);
    clock.now += 59_999;
    expect((await check(username)).id).toBe(id);
    expect(clock.verified).toBe(1);
    clock.now += 2;
    await check(username);
    expect(clock.verified).toBe(2);
  });

  it('never caches a wrong password', async () => {
    const { username } = await person();
    const { clock, check } = withClock();
    for (let count = 0; count < 2; count++)
      await expect(check(username, 'wrong')).rejects.toThrow('The username or password is wrong');
    expect(clock.verified).toBe(2);
  });

  it('accepts the right password 15 minutes after the first of 10 failures', async () => {
    const { username, id } = await person();
    const { clock, check } = withClock();
    for (let count = 0; count < 10; count++)
      await expect(check(username, 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    await passTime('10 minutes');
    const before = await secondsLeft();
    const refused = await check(username).catch((error: { code: string; retryAfterSeconds: number }) => error);
    expect(refused).toMatchObject({ code: 'too_many_failures' });
    expectBetween((refused as { retryAfterSeconds: number }).retryAfterSeconds, before, await secondsLeft());
    expect(clock.verified).toBe(10);
    await passTime('5 minutes');
    expect((await check(username)).id).toBe(id);
  });

  it('starts a new count with the first failure after 15 minutes', async () => {
    const { username } = await person();
    const { check } = withClock();
    const fail = () => expect(check(username, 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' });
    for (let count = 0; count < 10; count++) await fail();
    await passTime('15 minutes');
    for (let count = 0; count < 10; count++) await fail();
    await expect(check(username)).rejects.toMatchObject({ code: 'too_many_failures' });
  });
});

it('removeExpiredFailures removes only expired failures', async () => {
  const [{ username }, other] = [await person(), await person()];
  await failTimes(1, username);
  await passTime('15 minutes');
  await failTimes(1, other.username);
  const rows = () => server.sql<{ count: number }>('select count from sign_in_failures');
  await removeExpiredFailures(server.database.db);
  expect(await rows()).toEqual([{ count: 1 }, { count: 1 }]);
});
