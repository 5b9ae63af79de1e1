/**
 * Users: usernames, e-mails, passwords and their history.
 *
 * @module-tag sql
 */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const password = 'a sentence is a fine password';
const person = () => {
  const username = world.fresh('Person').replace(' ', '.');
  return { username, email: `${username}@Example.org`, password };
};
const create = (body: object) => server.call('createUser', { body });
const signIn = async (login: string, secret: string, id: number) =>
  (await server.call('getUser', { params: { id }, as: null, headers: { authorization: basic(login, secret) } })).status;

describe('POST /users', () => {
  it('creates an active user with the role user and does not return the password (V15.3.1)', async () => {
    const { password: _secret, ...values } = person();
    const { status, body } = await create({ ...values, password });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...values,
      id: expect.any(Number),
      uri: `/api/v2/users/${body.id}`,
      name: '',
      active: true,
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    });
    const roles = await server.sql('select name from roles join user_roles on role_id = roles.id where user_id = $1', [
      body.id,
    ]);
    expect(roles).toEqual([{ name: 'user' }]);
  });

  it('with `active: false` creates a user who cannot sign in', async () => {
    const values = person();
    const { body } = await create({ ...values, active: false });
    expect(body.active).toBe(false);
    expect(await signIn(values.username, password, body.id)).toBe(401);
  });

  it('stores neither the password nor its hash in history or events', async () => {
    const { body } = await create(person());
    await server.call('updateUser', { params: { id: body.id }, body: { password: 'another sentence of mine' } });
    const entries = await server.sql<{ text: string }>(
      'select entry::text as text from history_with_values entry union all select events::text from events',
    );
    const text = JSON.stringify(entries);
    expect(text).not.toContain('sentence');
    expect(text).not.toContain('argon2');
    const [last] = await server.sql('select after from history order by id desc limit 1');
    expect(last).toEqual({ after: { password: 'changed' } });
  });
});

describe('a username', () => {
  it.each([
    ['case', (name: string) => name.toUpperCase()],
    ['Unicode form', (name: string) => name.replace('P', 'Ｐ')],
  ])('is rejected with 409 if it differs from another only in %s', async (_what, change) => {
    const { username } = person();
    await create({ ...person(), username });
    const { status, body } = await create({ ...person(), username: change(username) });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'already_exists', errors: [{ pointer: '/username' }] });
  });

  it('can be the e-mail of the same user, regardless of case', async () => {
    const { email } = person();
    expect((await create({ username: email.toUpperCase(), email, password })).status).toBe(201);
  });

  it.each(['someone@elsewhere.org', '@', 'someone＠elsewhere.org'])(
    'of %s is rejected because it has an @ but is not the e-mail of the user',
    async (username) => {
      const { status, body } = await create({ ...person(), username });
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ pointer: '/username', detail: expect.stringContaining('@') }]);
    },
  );

  it.each(['a:b', '.', '..', ' a', 'a\tb', ''])('of %j is rejected with 400', async (username) => {
    expect((await create({ ...person(), username })).status).toBe(400);
  });
});

describe('an e-mail', () => {
  it('can be changed only together with the username if both are the same', async () => {
    const { email } = person();
    const { body: user } = await create({ username: email, email, password });
    const put = (body: object) => server.call('updateUser', { params: { id: user.id }, body });
    expect((await put({ email: `x${email}` })).status).toBe(400);
    expect((await put({ email: `x${email}`, username: `x${email}` })).status).toBe(200);
  });

  it('is rejected with 409 on creation and on change if it differs from another only in case', async () => {
    const { body: one } = await create(person());
    const email = one.email.toUpperCase();
    expect((await create({ ...person(), email })).body).toMatchObject({ status: 409, errors: [{ pointer: '/email' }] });
    const { body: other } = await create(person());
    const answer = await server.call('updateUser', { params: { id: other.id }, body: { email } });
    expect(answer.body).toMatchObject({ status: 409, code: 'already_exists', errors: [{ pointer: '/email' }] });
  });

  it('can be changed to another case', async () => {
    const { body: user } = await create(person());
    const email = user.email.toLowerCase();
    const { body } = await server.call('updateUser', { params: { id: user.id }, body: { email } });
    expect(body.email).toBe(email);
  });

  it.each(['nowhere', '@', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b\n', `${'x'.repeat(255)}@b`, 'a<b>@c'])(
    'of %j is rejected with 400',
    async (email) => {
      const { status, body } = await create({ ...person(), email });
      expect(status).toBe(400);
      expect(body.errors[0].pointer).toBe('/email');
    },
  );
});

describe('sign-in', () => {
  it('accepts username or e-mail, ignoring case', async () => {
    const values = person();
    const { body } = await create(values);
    for (const login of [values.username, values.email]) {
      for (const spelled of [login, login.toUpperCase(), login.toLowerCase()]) {
        expect(await signIn(spelled, password, body.id)).toBe(200);
      }
    }
  });

  it('accepts a password with a colon and non-ASCII letters', async () => {
    const values = { ...person(), password: 'grüße: aus Zürich 🧠' };
    const { body } = await create(values);
    expect(await signIn(values.username, values.password, body.id)).toBe(200);
    expect(await signIn(values.username, 'grüße', body.id)).toBe(401);
  });

  it('fails immediately after a deactivation and works again after a reactivation', async () => {
    const { id, username } = await world.user();
    expect(await signIn(username, testPassword, id)).toBe(200);
    expect((await server.call('deleteUser', { params: { id } })).body.active).toBe(false);
    expect(await signIn(username, testPassword, id)).toBe(401);
    await server.call('updateUser', { params: { id }, body: { active: true } });
    expect(await signIn(username, testPassword, id)).toBe(200);
  });
});

describe('a password', () => {
  it.each([
    ['has 11 characters', 'elevenchars'],
    ['has 11 characters, most with two code units', '🧠'.repeat(10) + 'x'],
    ['is one character repeated', 'aaaaaaaaaaaaaaaa'],
    ['is a common word with digits', 'Password2026!'],
    ['is a keyboard sequence', 'qwertyuiopas'],
    ['is a sequence of digits', '123456789012'],
    ['has 1,025 characters', 'a sentence '.repeat(94).slice(0, 1025)],
  ])('is rejected with 400 if it %s', async (_what, secret) => {
    const { status, body } = await create({ ...person(), password: secret });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '/password' }]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('is rejected with 400 if it is the username or e-mail of the user', async () => {
    const username = 'long.enough.name';
    const values = { username, email: 'long@example.org' };
    expect((await create({ ...values, password: username.toUpperCase() })).status).toBe(400);
    expect((await create({ ...values, password: 'long@example.org' })).status).toBe(400);
  });

  it('of 12 characters is accepted, even if some have two code units', async () => {
    for (const secret of ['twelve chars', 'zwölf🧠ein🦴wi']) {
      expect(Array.from(secret).length).toBe(12);
      expect((await create({ ...person(), password: secret })).status).toBe(201);
    }
  });

  it('must follow the same rules when it is changed', async () => {
    const { id } = await world.user();
    const put = (secret: string) => server.call('updateUser', { params: { id }, body: { password: secret } });
    expect((await put('too short')).status).toBe(400);
    expect((await put('Password2026!')).body.errors).toMatchObject([{ pointer: '/password' }]);
    expect((await put('a sentence is fine')).status).toBe(200);
  });
});

describe('DELETE /users/{id}', () => {
  it('returns the same response and records no change when repeated', async () => {
    const { id } = await world.user();
    const first = await server.call('deleteUser', { params: { id } });
    const entries = await server.sql('select count(*) from history');
    const second = await server.call('deleteUser', { params: { id } });
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await server.sql('select count(*) from history')).toEqual(entries);
  });
});
