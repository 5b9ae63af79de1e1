/** A new password by mail, with a server, a worker and a mail server as they are. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resetTokenIn, textOf } from '../../testing/counterparts/mail-server.ts';
import { addressOf, newPassword, publicUrl, startResetWorld, type ResetWorld } from '../../testing/reset-world.ts';
import { startServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { ownPage } from '../../testing/sessions.ts';
import { dumpAll } from '../../testing/whole-dump.ts';

let world: ResetWorld;
beforeAll(async () => {
  world = await startResetWorld();
});
afterAll(() => world.stop());

describe('whoever asks', () => {
  it('gets a letter with a link that works once, ends all sessions, and is in the history (V6.4.3, V6.5.1, V6.5.4)', async () => {
    const somebody = await world.person();
    const page = await world.call(
      'POST',
      '/session',
      { username: somebody.username, password: testPassword },
      { ...ownPage, ...somebody.from },
    );
    const cookie = page.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const session = async () => (await world.call('GET', '/session', undefined, { ...ownPage, cookie })).status;
    expect(await session()).toBe(200);
    await world.ask(somebody.email.toUpperCase(), somebody.from);
    const letter = await world.letterTo(somebody.email);
    const token = resetTokenIn(letter);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(letter).toMatchObject({ from: 'milepost@example.org', to: [somebody.email] });
    expect(textOf(letter)).toContain(`${publicUrl}/reset-password#${token}`);
    expect(textOf(letter)).not.toContain(somebody.username);
    expect(await world.signIn(somebody, testPassword)).toBe(200);
    expect(await world.redeem(token, somebody.from)).toEqual({ status: 200, username: somebody.username });
    expect(await session()).toBe(401);
    expect([await world.signIn(somebody, testPassword), await world.signIn(somebody, newPassword)]).toEqual([401, 200]);
    expect(await world.redeem(token, somebody.from)).toMatchObject({ status: 403, code: 'wrong_reset_token' });
    const entries = await world.sql<{ operation: string }>(
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
    const [known, inactive, foreign] = [
      await world.person(),
      await world.person('inactive'),
      await world.person('foreign'),
    ];
    await world.call('DELETE', `/users/${inactive.id}`, undefined, { authorization: basic('admin', testPassword) });
    await world.sql('update users set password_hash = null where id = $1', [foreign.id]);
    const logins = [known.username, 'nobody', 'nobody@example.org', inactive.username, foreign.email];
    const answers = await Promise.all(logins.map((login) => world.ask(login, known.from)));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], status: 202 });
    await world.letterTo(known.email);
    await world.allSeen();
    expect(world.mail.rcpt).toContain(known.email);
    for (const { email } of [inactive, foreign]) expect(world.mail.rcpt).not.toContain(email);
    expect(world.mail.rcpt.filter((address) => address.startsWith('nobody'))).toEqual([]);
    expect(await world.sql('select from password_resets where user_id is null')).toEqual([]);
  });

  it('more than three times within an hour gets three letters, and then is told to wait, which tells nobody else', async () => {
    const somebody = await world.person();
    for (let count = 0; count < 5; count++)
      expect((await world.ask(somebody.username, somebody.from)).status).toBe(202);
    await world.letterTo(somebody.email, 3);
    await world.allSeen();
    expect(world.lettersTo(somebody.email)).toHaveLength(3);
    for (let count = 0; count < 5; count++) expect((await world.ask('nobody', somebody.from)).status).toBe(202);
    for (const login of ['nobody', somebody.username.toUpperCase()])
      expect(await world.ask(login, somebody.from)).toMatchObject({ status: 429, code: 'too_many_resets' });
    const refused = await world.call('POST', '/password-resets', { login: somebody.username }, somebody.from);
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ code: 'too_many_resets' })]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await world.ask('nobody', addressOf(200))).status).toBe(202);
    expect((await world.ask(somebody.email, somebody.from)).status).toBe(202);
  });

  it('is told to wait when five thousand names were asked for from the address, and not when one person has asked for many', async () => {
    const [somebody, from] = [await world.person(), addressOf(202)];
    for (let count = 0; count < 40; count++) expect((await world.ask(`name${count}`, from)).status).toBe(202);
    expect(await world.sql('update sign_in_failures set count = 4998 where count = 40 returning count')).toHaveLength(
      1,
    );
    expect((await world.ask(somebody.username, from)).status).toBe(202);
    await world.letterTo(somebody.email);
    expect((await world.ask('name40', from)).status).toBe(202);
    expect(await world.ask('name41', from)).toMatchObject({ status: 429, code: 'too_many_resets' });
  });
});

describe('a link', () => {
  it.each([
    ['is over', `update password_resets set expires_at = now() where user_id = $1`],
    ['was sent before the account got another password', ''],
  ])('that %s is refused', async (_what, change) => {
    const somebody = await world.person();
    const token = await world.linkFor(somebody);
    if (change) await world.sql(change, [somebody.id]);
    else {
      const headers = { authorization: basic('admin', testPassword) };
      await world.call('PUT', `/users/${somebody.id}`, { password: 'a third fine sentence' }, headers);
    }
    expect(await world.redeem(token, somebody.from)).toMatchObject({ status: 403, code: 'wrong_reset_token' });
    expect(await world.signIn(somebody, newPassword)).toBe(401);
  });

  it('that two come with at once works for one of them (V6.5.1)', async () => {
    const somebody = await world.person();
    const token = await world.linkFor(somebody);
    const answers = await Promise.all([world.redeem(token, somebody.from), world.redeem(token, somebody.from)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
  });

  it('opens an account again that was closed by failures', async () => {
    const somebody = await world.person();
    for (let count = 0; count < 10; count++) await world.signIn(somebody, `wrong ${count}`);
    expect(await world.signIn(somebody, testPassword)).toBe(429);
    expect((await world.redeem(await world.linkFor(somebody), somebody.from)).status).toBe(200);
    expect(await world.signIn(somebody, newPassword)).toBe(200);
  });

  it('is not taken over a connection that others can read', async () => {
    const somebody = await world.person();
    const token = await world.linkFor(somebody);
    const open = { ...somebody.from, 'x-forwarded-proto': 'http', 'x-forwarded-host': 'milepost.example.org' };
    expect(await world.redeem(token, open)).toMatchObject({ status: 403, code: 'insecure_connection' });
  });

  it('that does not work is refused at the eleventh time, and one that works does so all the same', async () => {
    const from = addressOf(201);
    const token = await world.linkFor(await world.person());
    for (let count = 0; count < 10; count++)
      expect((await world.redeem(`${count}`.padStart(43, 'x'), from)).code).toBe('wrong_reset_token');
    expect(await world.redeem('x'.repeat(43), from)).toMatchObject({ status: 429, code: 'too_many_resets' });
    expect((await world.redeem(token, from)).status).toBe(200);
  });
});

it('tokens and passwords are in no log, and nowhere in the database (V6.5.2)', async () => {
  const [used, unused] = [await world.person(), await world.person()];
  const tokens = [await world.linkFor(used), await world.linkFor(unused)];
  await world.redeem(tokens[0] ?? '', used.from);
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
  ['a public address', { MILEPOST_SMTP_URL: 'smtp://127.0.0.1:25', MILEPOST_MAIL_FROM: 'milepost@example.org' }],
])('without %s nobody can ask, and the page of sign-in knows', async (_what, settings) => {
  const silent = await startServerProcess({ ...settings, DATABASE_URL: world.database.databaseUrl });
  const ways = await fetch(`${silent.baseUrl}/sign-in`);
  expect(await ways.json()).toEqual({ single_sign_on: null, password_reset: false });
  const asked = await fetch(`${silent.baseUrl}/password-resets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin' }),
  });
  expect([asked.status, await asked.json()]).toEqual([409, expect.objectContaining({ code: 'no_mail_server' })]);
  await silent.stop();
});
