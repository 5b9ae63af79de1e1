/** Password resets by mail, with a real server, worker and mail server. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetTokenIn, textOf } from '../../../testing/counterparts/mail-server.ts';
import {
  headersFrom,
  newPassword,
  publicUrl,
  startResetWorld,
  type ResetWorld,
} from '../../../testing/password-reset-world.ts';
import { startServerProcess } from '../../../testing/processes/server-process.ts';
import { testPassword } from '../../../testing/server.ts';
import { sameOriginHeaders } from '../../../testing/sessions.ts';
import { dumpAll } from '../../../testing/rows/whole-dump.ts';

let world: ResetWorld;
beforeAll(async () => {
  world = await startResetWorld();
});
afterAll(() => world.stop());

describe('requests for a password reset', () => {
  it('send a link that works once and ends all sessions, and the history records its sending and use (V6.4.3, V6.5.1, V6.5.4)', async () => {
    const user = await world.user();
    const page = await world.call(
      'POST',
      '/session',
      { username: user.username, password: testPassword },
      { ...sameOriginHeaders, ...user.proxyHeaders },
    );
    const cookie = page.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const session = async () =>
      (await world.call('GET', '/session', undefined, { ...sameOriginHeaders, cookie })).status;
    expect(await session()).toBe(200);
    await world.requestReset(user.email.toUpperCase(), user.proxyHeaders);
    const message = await world.mailTo(user.email);
    const token = resetTokenIn(message);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(message).toMatchObject({ from: 'milepost@example.org', to: [user.email] });
    expect(textOf(message)).toContain(`${publicUrl}/reset-password#${token}`);
    expect(textOf(message)).not.toContain(user.username);
    expect(await world.signIn(user, testPassword)).toBe(200);
    expect(await world.redeem(token, user.proxyHeaders)).toEqual({ status: 200, username: user.username });
    expect(await session()).toBe(401);
    expect([await world.signIn(user, testPassword), await world.signIn(user, newPassword)]).toEqual([401, 200]);
    expect(await world.redeem(token, user.proxyHeaders)).toMatchObject({ status: 403, code: 'wrong_reset_token' });
    const entries = await world.sql<{ operation: string }>(
      `select operation, actor_kind, actor_id::int from history_with_values
       where object_kind = 'user' and object_id = $1 and operation like '%PasswordReset' order by id`,
      [user.id],
    );
    expect(entries).toEqual([
      { operation: 'sendPasswordReset', actor_kind: 'engine', actor_id: null },
      { operation: 'redeemPasswordReset', actor_kind: 'user', actor_id: user.id },
    ]);
  });

  it('let a user who was imported without a password set the first one', async () => {
    const [username, email] = ['imported', 'imported@example.org'];
    const config_definition = `users: [{username: ${username}, email: ${email}, password: short}]`;
    const authorization = basic('admin', testPassword);
    const imported = await world.call(
      'POST',
      '/service/config/import-config',
      { config_definition },
      { authorization },
    );
    expect(imported.status).toBe(201);
    const user = { id: 0, username, email, proxyHeaders: headersFrom(200) };
    expect(await world.signIn(user, 'short')).toBe(401);
    expect(await world.redeem(await world.linkFor(user), user.proxyHeaders)).toMatchObject({ status: 200 });
    expect(await world.signIn(user, newPassword)).toBe(200);
    expect(await world.sql('select from users where awaits_password')).toEqual([]);
  });

  it('get the same response for known and unknown names, inactive accounts and accounts without a password', async () => {
    const [known, inactive, foreign] = [await world.user(), await world.user('inactive'), await world.user('foreign')];
    await world.call('DELETE', `/users/${inactive.id}`, undefined, { authorization: basic('admin', testPassword) });
    await world.sql('update users set password_hash = null where id = $1', [foreign.id]);
    const logins = [known.username, 'nobody', 'nobody@example.org', inactive.username, foreign.email];
    const answers = await Promise.all(logins.map((login) => world.requestReset(login, known.proxyHeaders)));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 202 });
    await world.mailTo(known.email);
    await world.waitUntilProcessed();
    expect(world.mail.rcpt).toContain(known.email);
    for (const { email } of [inactive, foreign]) expect(world.mail.rcpt).not.toContain(email);
    expect(world.mail.rcpt.filter((address) => address.startsWith('nobody'))).toEqual([]);
    expect(await world.sql('select from password_resets where user_id is null')).toEqual([]);
  });

  it('send at most three e-mails per hour, and return 429 after five requests for a known or unknown name', async () => {
    const user = await world.user();
    for (let count = 0; count < 5; count++)
      expect((await world.requestReset(user.username, user.proxyHeaders)).status).toBe(202);
    await world.mailTo(user.email, 3);
    await world.waitUntilProcessed();
    expect(world.allMailTo(user.email)).toHaveLength(3);
    for (let count = 0; count < 5; count++)
      expect((await world.requestReset('nobody', user.proxyHeaders)).status).toBe(202);
    for (const login of ['nobody', user.username.toUpperCase()])
      expect(await world.requestReset(login, user.proxyHeaders)).toMatchObject({
        status: 429,
        code: 'too_many_resets',
      });
    const refused = await world.call('POST', '/password-resets', { login: user.username }, user.proxyHeaders);
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 'too_many_resets' })]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await world.requestReset('nobody', headersFrom(200))).status).toBe(202);
    expect((await world.requestReset(user.email, user.proxyHeaders)).status).toBe(202);
  });

  it('return 429 after requests for five thousand names from one address', async () => {
    const [user, from] = [await world.user(), headersFrom(202)];
    for (let count = 0; count < 40; count++) expect((await world.requestReset(`name${count}`, from)).status).toBe(202);
    expect(await world.sql('update sign_in_failures set count = 4998 where count = 40 returning count')).toHaveLength(
      1,
    );
    expect((await world.requestReset(user.username, from)).status).toBe(202);
    await world.mailTo(user.email);
    expect((await world.requestReset('name40', from)).status).toBe(202);
    expect(await world.requestReset('name41', from)).toMatchObject({ status: 429, code: 'too_many_resets' });
  });
});

describe('a password reset link', () => {
  it.each([
    ['has expired', `update password_resets set expires_at = now() where user_id = $1`],
    ['was sent before the password changed', ''],
  ])('is rejected if it %s', async (_what, change) => {
    const user = await world.user();
    const token = await world.linkFor(user);
    if (change) await world.sql(change, [user.id]);
    else {
      const headers = { authorization: basic('admin', testPassword) };
      await world.call('PUT', `/users/${user.id}`, { password: 'a third fine sentence' }, headers);
    }
    expect(await world.redeem(token, user.proxyHeaders)).toMatchObject({ status: 403, code: 'wrong_reset_token' });
    expect(await world.signIn(user, newPassword)).toBe(401);
  });

  it('works for only one of two concurrent requests (V6.5.1)', async () => {
    const user = await world.user();
    const token = await world.linkFor(user);
    const answers = await Promise.all([world.redeem(token, user.proxyHeaders), world.redeem(token, user.proxyHeaders)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
  });

  it('unlocks an account that was locked by failed sign-ins', async () => {
    const user = await world.user();
    for (let count = 0; count < 10; count++) await world.signIn(user, `wrong ${count}`);
    expect(await world.signIn(user, testPassword)).toBe(429);
    expect((await world.redeem(await world.linkFor(user), user.proxyHeaders)).status).toBe(200);
    expect(await world.signIn(user, newPassword)).toBe(200);
  });

  it('is rejected over an unencrypted connection', async () => {
    const user = await world.user();
    const token = await world.linkFor(user);
    const open = { ...user.proxyHeaders, 'x-forwarded-proto': 'http', 'x-forwarded-host': 'milepost.example.org' };
    expect(await world.redeem(token, open)).toMatchObject({ status: 403, code: 'insecure_connection' });
  });

  it('still works after ten wrong tokens, while further wrong tokens get 429', async () => {
    const from = headersFrom(201);
    const token = await world.linkFor(await world.user());
    for (let count = 0; count < 10; count++)
      expect((await world.redeem(`${count}`.padStart(43, 'x'), from)).code).toBe('wrong_reset_token');
    expect(await world.redeem('x'.repeat(43), from)).toMatchObject({ status: 429, code: 'too_many_resets' });
    expect((await world.redeem(token, from)).status).toBe(200);
  });
});

it('the server and the worker write no reset token or password to the logs or the database (V6.5.2)', async () => {
  const [used, unused] = [await world.user(), await world.user()];
  const tokens = [await world.linkFor(used), await world.linkFor(unused)];
  await world.redeem(tokens[0] ?? '', used.proxyHeaders);
  const everything = [await dumpAll(world.database.superuserUrl), world.server.output(), world.worker.output()].join(
    '\n',
  );
  expect(everything).toContain('redeemPasswordReset');
  for (const token of tokens) {
    expect(token).toHaveLength(43);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(Buffer.from(token).toString('hex'));
    expect(everything).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  }
  expect(everything).not.toContain(newPassword);
});

it.each([
  ['a mail server', { MILEPOST_PUBLIC_URL: publicUrl }],
  ['a public URL', { MILEPOST_SMTP_URL: 'smtp://127.0.0.1:25', MILEPOST_MAIL_FROM: 'milepost@example.org' }],
])(
  'password resets are disabled if %s is not configured, and the sign-in options show this',
  async (_what, settings) => {
    const server = await startServerProcess({ ...settings, DATABASE_URL: world.database.databaseUrl });
    const options = await fetch(`${server.baseUrl}/sign-in`);
    expect(await options.json()).toEqual({ single_sign_on: null, password_reset: false });
    const asked = await fetch(`${server.baseUrl}/password-resets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: 'admin' }),
    });
    expect([asked.status, await asked.json()]).toEqual([409, expect.objectContaining({ code: 'no_mail_server' })]);
    await server.stop();
  },
);
