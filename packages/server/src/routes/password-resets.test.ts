/** A new password by mail, with a server, a worker and a mail server as they are. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type ReceivedMail, type TestMailServer } from '../../testing/counterparts/mail-server.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { ownPage } from '../../testing/sessions.ts';
import { dumpAll } from '../../testing/whole-dump.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/worker-process.ts';

const newPassword = 'canary of a new sentence';
const publicUrl = 'https://milepost.example.org';
let database: TestDatabase;
let mail: TestMailServer;
let server: ServerProcess;
let worker: WorkerProcess;
beforeAll(async () => {
  [database, mail] = [await createTestDatabase(), await startMailServer()];
  const settings = {
    DATABASE_URL: database.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: testPassword,
    MILEPOST_PUBLIC_URL: publicUrl,
    MILEPOST_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MILEPOST_MAIL_FROM: 'milepost@example.org',
    MILEPOST_LOG_LEVEL: 'trace',
    MILEPOST_TRUSTED_PROXIES: '127.0.0.1',
  };
  server = await startServerProcess(settings);
  worker = await startWorkerProcess(settings);
});
afterAll(async () => {
  await Promise.all([server.stop(), worker.stop()]);
  await mail.stop();
  await database.drop();
});

const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  withClient(database.ownerUrl, async (client) => (await client.query<T>(text, values)).rows);

let people = 0;
interface Person {
  id: number;
  username: string;
  email: string;
  from: Record<string, string>;
}
/** Somebody at an address of their own. */
async function person(name = `person${people}`): Promise<Person> {
  const number = ++people;
  const username = `${name}${number}`;
  const email = `${username}@example.org`;
  const body = { username, email, password: testPassword };
  const { id } = await answerTo('POST', '/users', body, { authorization: basic('admin', testPassword) });
  return { id, username, email, from: addressOf(number) };
}
const addressOf = (number: number) => ({ 'x-forwarded-for': `10.3.0.${number}`, 'x-forwarded-proto': 'https' });

const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(server.baseUrl + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const answerTo = async (...parts: Parameters<typeof call>) => {
  const answer = await call(...parts);
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  return { status: answer.status, ...((await answer.json()) as any) };
};

const ask = (login: string, from: Record<string, string>) => answerTo('POST', '/password-resets', { login }, from);
const redeem = (token: string, from: Record<string, string>, password = newPassword) =>
  answerTo('POST', '/password-resets/redeem', { token, password }, from);
const signIn = async ({ username, from }: Person, password: string) =>
  (await call('GET', '/session', undefined, { ...from, authorization: basic(username, password) })).status;

const lettersTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
const letterTo = async (email: string, number = 1): Promise<ReceivedMail> => {
  await expect.poll(() => lettersTo(email).length, { interval: 50 }).toBe(number);
  return lettersTo(email)[number - 1] as ReceivedMail;
};
/** As a program that reads mail shows it: lines that were folded for the way are whole again. */
const textOf = ({ body }: ReceivedMail) =>
  body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
const tokenIn = (letter: ReceivedMail): string => /#([\w-]{43})\s/.exec(textOf(letter))?.[1] ?? '';
const linkFor = async (somebody: Person): Promise<string> => {
  expect(await ask(somebody.username, somebody.from)).toMatchObject({ status: 202 });
  return tokenIn(await letterTo(somebody.email));
};
const waiting = () => sql('select from password_resets where sent_at is null and ended_at is null');
/** Until the worker has seen all that was asked for. */
const allSeen = async () => {
  await expect.poll(waiting).toEqual([]);
};

describe('whoever asks', () => {
  it('gets a letter with a link that works once, ends all sessions, and is in the history (V6.4.3, V6.5.1, V6.5.4)', async () => {
    const somebody = await person();
    const page = await call(
      'POST',
      '/session',
      { username: somebody.username, password: testPassword },
      { ...ownPage, ...somebody.from },
    );
    const cookie = page.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const session = async () => (await call('GET', '/session', undefined, { ...ownPage, cookie })).status;
    expect(await session()).toBe(200);
    await ask(somebody.email.toUpperCase(), somebody.from);
    const letter = await letterTo(somebody.email);
    const token = tokenIn(letter);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(letter).toMatchObject({ from: 'milepost@example.org', to: [somebody.email] });
    expect(textOf(letter)).toContain(`${publicUrl}/reset-password#${token}`);
    expect(textOf(letter)).not.toContain(somebody.username);
    expect(await signIn(somebody, testPassword)).toBe(200);
    expect(await redeem(token, somebody.from)).toEqual({ status: 200, username: somebody.username });
    expect(await session()).toBe(401);
    expect([await signIn(somebody, testPassword), await signIn(somebody, newPassword)]).toEqual([401, 200]);
    expect(await redeem(token, somebody.from)).toMatchObject({ status: 403, code: 'wrong_reset_token' });
    const entries = await sql<{ operation: string }>(
      `select operation, actor_kind, actor_id::int from history_with_values
       where object_kind = 'user' and object_id = $1 and operation like '%PasswordReset' order by id`,
      [somebody.id],
    );
    expect(entries).toEqual([
      { operation: 'sendPasswordReset', actor_kind: 'engine', actor_id: null },
      { operation: 'redeemPasswordReset', actor_kind: 'user', actor_id: somebody.id },
    ]);
  });

  it('is answered in the same words for a name that nobody has, an inactive account and one without a password', async () => {
    const [known, inactive, foreign] = [await person(), await person('inactive'), await person('foreign')];
    await call('DELETE', `/users/${inactive.id}`, undefined, { authorization: basic('admin', testPassword) });
    await sql('update users set password_hash = null where id = $1', [foreign.id]);
    const logins = [known.username, 'nobody', 'nobody@example.org', inactive.username, foreign.email];
    const answers = await Promise.all(logins.map((login) => ask(login, known.from)));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 202 });
    await letterTo(known.email);
    await allSeen();
    expect(mail.rcpt).toContain(known.email);
    for (const { email } of [inactive, foreign]) expect(mail.rcpt).not.toContain(email);
    expect(mail.rcpt.filter((address) => address.startsWith('nobody'))).toEqual([]);
    expect(await sql('select from password_resets where user_id is null')).toEqual([]);
  });

  it('more than three times within an hour gets three letters, and then is told to wait, which tells nobody else', async () => {
    const somebody = await person();
    for (let count = 0; count < 5; count++) expect((await ask(somebody.username, somebody.from)).status).toBe(202);
    await letterTo(somebody.email, 3);
    await allSeen();
    expect(lettersTo(somebody.email)).toHaveLength(3);
    for (let count = 0; count < 5; count++) expect((await ask('nobody', somebody.from)).status).toBe(202);
    for (const login of ['nobody', somebody.username.toUpperCase()])
      expect(await ask(login, somebody.from)).toMatchObject({ status: 429, code: 'too_many_resets' });
    const refused = await call('POST', '/password-resets', { login: somebody.username }, somebody.from);
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 'too_many_resets' })]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('nobody', addressOf(200))).status).toBe(202);
    expect((await ask(somebody.email, somebody.from)).status).toBe(202);
  });

  it('is told to wait when five thousand names were asked for from the address, and not when one person has asked for many', async () => {
    const [somebody, from] = [await person(), addressOf(202)];
    for (let count = 0; count < 40; count++) expect((await ask(`name${count}`, from)).status).toBe(202);
    expect(await sql('update sign_in_failures set count = 4998 where count = 40 returning count')).toHaveLength(1);
    expect((await ask(somebody.username, from)).status).toBe(202);
    await letterTo(somebody.email);
    expect((await ask('name40', from)).status).toBe(202);
    expect(await ask('name41', from)).toMatchObject({ status: 429, code: 'too_many_resets' });
  });

  it('gets the letter later where the mail server does not take it at once, and none where it refuses it', async () => {
    const [later, refused] = [await person('later'), await person('refused')];
    await sql(`update users set email = 'later@example.org', email_key = 'later@example.org' where id = $1`, [
      later.id,
    ]);
    await sql(`update users set email = 'refused@example.org', email_key = 'refused@example.org' where id = $1`, [
      refused.id,
    ]);
    await ask(later.username, later.from);
    await ask(refused.username, refused.from);
    const stateOf = async ({ id }: Person) =>
      (
        await sql(
          `select tries, ended_at is not null as ended, next_try_at > now() as waits
           from password_resets where user_id = $1 and token_hash is not null`,
          [id],
        )
      )[0];
    await expect.poll(() => stateOf(later)).toMatchObject({ ended: false, waits: true });
    await expect.poll(() => stateOf(refused)).toMatchObject({ ended: true });
    expect(worker.output()).toContain('a link to a new password was not sent');
    expect(worker.output()).not.toContain('refused@example.org');
  });
});

describe('a link', () => {
  it.each([
    ['is over', `update password_resets set expires_at = now() where user_id = $1`],
    ['was sent before the account got another password', ''],
  ])('that %s is refused', async (_what, change) => {
    const somebody = await person();
    const token = await linkFor(somebody);
    if (change) await sql(change, [somebody.id]);
    else {
      const headers = { authorization: basic('admin', testPassword) };
      await call('PUT', `/users/${somebody.id}`, { password: 'a third fine sentence' }, headers);
    }
    expect(await redeem(token, somebody.from)).toMatchObject({ status: 403, code: 'wrong_reset_token' });
    expect(await signIn(somebody, newPassword)).toBe(401);
  });

  it('that two come with at once works for one of them (V6.5.1)', async () => {
    const somebody = await person();
    const token = await linkFor(somebody);
    const answers = await Promise.all([redeem(token, somebody.from), redeem(token, somebody.from)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
  });

  it('opens an account again that was closed by failures', async () => {
    const somebody = await person();
    for (let count = 0; count < 10; count++) await signIn(somebody, `wrong ${count}`);
    expect(await signIn(somebody, testPassword)).toBe(429);
    expect((await redeem(await linkFor(somebody), somebody.from)).status).toBe(200);
    expect(await signIn(somebody, newPassword)).toBe(200);
  });

  it('is not taken over a connection that others can read', async () => {
    const somebody = await person();
    const token = await linkFor(somebody);
    const open = { ...somebody.from, 'x-forwarded-proto': 'http', 'x-forwarded-host': 'milepost.example.org' };
    expect(await redeem(token, open)).toMatchObject({ status: 403, code: 'insecure_connection' });
  });

  it('that does not work is refused at the eleventh time, and one that works does so all the same', async () => {
    const from = addressOf(201);
    const token = await linkFor(await person());
    for (let count = 0; count < 10; count++)
      expect((await redeem(`${count}`.padStart(43, 'x'), from)).code).toBe('wrong_reset_token');
    expect(await redeem('x'.repeat(43), from)).toMatchObject({ status: 429, code: 'too_many_resets' });
    expect((await redeem(token, from)).status).toBe(200);
  });
});

it('tokens and passwords are in no log, and nowhere in the database (V6.5.2)', async () => {
  const [used, unused] = [await person(), await person()];
  const tokens = [await linkFor(used), await linkFor(unused)];
  await redeem(tokens[0] ?? '', used.from);
  const everything = [await dumpAll(database.superuserUrl), server.output(), worker.output()].join('\n');
  expect(everything).toContain('redeemPasswordReset');
  for (const token of tokens) {
    expect(token).toHaveLength(43);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(Buffer.from(token).toString('hex'));
    expect(everything).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  }
  expect(everything).not.toContain(newPassword);
});

it('without a mail server nobody can ask, and the page of sign-in knows', async () => {
  const silent = await startServerProcess({ DATABASE_URL: database.databaseUrl });
  const ways = await fetch(`${silent.baseUrl}/sign-in`);
  expect(await ways.json()).toEqual({ password: true, single_sign_on: null, password_reset: false });
  const asked = await fetch(`${silent.baseUrl}/password-resets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin' }),
  });
  expect([asked.status, await asked.json()]).toEqual([409, expect.objectContaining({ code: 'no_mail_server' })]);
  await silent.stop();
});
