/**
 * Coming in through a real provider of OpenID Connect.
 *
 * @module-tag sql
 */
import { sessionCookie } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, type Browser } from '../../testing/browser.ts';
import { startOpenIdProvider, type OpenIdCounterpart } from '../../testing/counterparts/openid-provider.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { goToProvider, outcomeOf, signInThrough, type Sides } from '../../testing/single-sign-on.ts';

let provider: OpenIdCounterpart;
let server: TestServer;
let sides: Sides;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  server = await startTestServer({ settings: provider.settings });
  sides = { origin: server.origin, provider };
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

const sessionOf = (browser: Browser) => {
  const cookie = `${sessionCookie}=${browser.jarOf(server.origin).get(sessionCookie)}`;
  return server.call('getSession', { as: null, headers: { cookie } });
};
const identities = (subject: string) =>
  server.sql<{ id: number; username: string; email: string; password_hash: null; issuer: string }>(
    `select users.id::int, username, email, password_hash, issuer from users join user_identities on user_id = users.id
     where subject = $1`,
    [subject],
  );
const accounts = () => server.sql<{ username: string }>('select * from users order by id');
const unreachable = /^[0-9a-f]{32}@no-mail\.invalid$/;
const historyOf = (userId: number) =>
  server.sql<{ actor_kind: string; actor_id: number | null; before: object; after: Record<string, unknown> }>(
    `select actor_kind, actor_id::int, before, after from history_with_values
     where object_kind = 'user' and object_id = $1 and operation = 'signInWithProvider' order by id`,
    [userId],
  );

const ann = {
  name: 'Ann Other',
  preferred_username: 'ann@hospital.example.org',
  email: 'Ann@Hospital.example.org',
  email_verified: true,
  groups: ['scanners', 'readers', 'choir'],
};

describe('the first sign-in', () => {
  it('makes an account without a password, with the roles of the map, and leads to the page that was asked for', async () => {
    const { status, location, browser } = await signInThrough(sides, 'ann-1', ann, '/experiments?state=3');
    expect([status, outcomeOf(location)]).toEqual([303, '/experiments?state=3']);
    const [user] = await identities('ann-1');
    expect(user).toMatchObject({ username: 'ann', email: ann.email, password_hash: null, issuer: provider.issuer });
    const { status: seen, body } = await sessionOf(browser);
    expect([seen, body.user.name, body.roles]).toEqual([200, 'Ann Other', ['superuser', 'user']]);
  });

  it('is written down: the account by the operator whose map it is, the session by the person', async () => {
    const [user] = await identities('ann-1');
    const [made, began, ...more] = await historyOf(user?.id ?? 0);
    expect(made).toMatchObject({ actor_kind: 'operator', actor_id: null, before: null });
    expect(made?.after).toMatchObject({ username: 'ann', subject: 'ann-1', issuer: provider.issuer });
    expect(made?.after['roles']).toEqual(['superuser', 'user']);
    expect(began).toMatchObject({ actor_kind: 'user', actor_id: user?.id });
    expect(more).toEqual([]);
  });

  it('begins a session that lasts as long as any other (V7.6.1)', async () => {
    const { browser } = await signInThrough(sides, 'ann-1', ann);
    const { body } = await sessionOf(browser);
    const [row] = await server.sql<{ hours: number }>(
      `select extract(epoch from expires_at - created_at)::int / 3600 as hours from sessions where id = $1`,
      [body.id],
    );
    expect(row).toEqual({ hours: 12 });
    await server.sql(
      `update sessions set created_at = created_at - interval '61 minutes', last_used_at = last_used_at - interval '61 minutes',
         expires_at = expires_at - interval '61 minutes' where id = $1`,
      [body.id],
    );
    expect((await sessionOf(browser)).status).toBe(401);
  });

  it('sends to the provider a challenge, a state and a nonce, and sets a cookie for ten minutes and this host', async () => {
    const { response, location } = await createBrowser().get(`${server.origin}/sign-in/oidc`);
    const { searchParams } = new URL(location);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'https://milepost.example.org/sign-in/oidc/callback',
      scope: 'openid profile email',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-milepost-sign-in=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('takes a name that is free and legal, and an e-mail only if it is verified', async () => {
    await signInThrough(sides, 'ann-2', { preferred_username: 'ANN', email: 'ann2@example.org', groups: 'readers' });
    await signInThrough(sides, 'odd', { preferred_username: ' :b c\u0000/..', groups: [] });
    await signInThrough(sides, 'none', { preferred_username: 7 });
    const [second] = await identities('ann-2');
    expect(second?.username).toBe('ANN-2');
    expect(second?.email).toMatch(unreachable);
    expect((await identities('odd'))[0]?.username).toBe('b-c');
    expect((await identities('none'))[0]?.username).toBe('user');
  });

  it('never finds or joins an account by its e-mail: who has that of an administrator comes in as somebody else', async () => {
    const before = await accounts();
    const mallory = { preferred_username: 'm', email: 'ADMIN@example.org', email_verified: true };
    const { browser, location } = await signInThrough(sides, 'mallory', mallory);
    expect(outcomeOf(location)).toBe('/');
    const [made, ...more] = await identities('mallory');
    expect([made?.username, more]).toEqual(['m', []]);
    expect(made?.email).toMatch(unreachable);
    expect((await sessionOf(browser)).body).toMatchObject({ user: { id: made?.id }, roles: [] });
    expect((await accounts()).filter(({ username }) => username !== 'm')).toEqual(before);
  });

  it('gives no role to whom the map does not name: they are in, and may do nothing', async () => {
    const { browser } = await signInThrough(sides, 'guest', { preferred_username: 'guest', groups: ['SCANNERS', 'x'] });
    const { body } = await sessionOf(browser);
    expect(body.roles).toEqual([]);
    const cookie = `${sessionCookie}=${browser.jarOf(server.origin).get(sessionCookie)}`;
    expect((await server.call('listCohorts', { as: null, headers: { cookie } })).status).toBe(403);
  });
});

describe('a later sign-in', () => {
  const before = { preferred_username: 'bea', groups: ['heads', 'scanners'] };

  it('gives and takes the roles of the map as the claim says, and leaves all others', async () => {
    await signInThrough(sides, 'bea', before);
    const [{ id, username } = { id: 0, username: '' }] = await identities('bea');
    await server.sql(`insert into roles (name, permissions) values ('by hand', '{audit_read}')`);
    await server.call('assignUserRole', { params: { username, role_name: 'by hand' } });
    const { browser } = await signInThrough(sides, 'bea', { ...before, groups: ['readers', 'heads'] });
    const { body } = await sessionOf(browser);
    expect(body.roles.toSorted()).toEqual(['admin', 'by hand', 'user']);
    expect(body.user.id).toBe(id);
    const changes = (await historyOf(id)).filter(({ after }) => 'has_role' in after);
    expect(changes.map(({ actor_kind, before: was, after }) => [actor_kind, was, after])).toEqual([
      ['operator', { role: 'superuser', has_role: true }, { role: 'superuser', has_role: false }],
      ['operator', { role: 'user', has_role: false }, { role: 'user', has_role: true }],
    ]);
  });

  it('writes nothing but its session where nothing changed', async () => {
    const [{ id } = { id: 0 }] = await identities('bea');
    const entries = (await historyOf(id)).length;
    await signInThrough(sides, 'bea');
    const [latest, ...more] = (await historyOf(id)).slice(entries);
    expect([Object.keys(latest?.after ?? {}).toSorted(), more]).toEqual([['address', 'session_id', 'user_agent'], []]);
  });

  it('finds the same person under another name and e-mail, and nobody by those (V10.5.2)', async () => {
    const renamed = {
      preferred_username: 'beatrix',
      email: 'new@example.org',
      email_verified: true,
      groups: ['heads'],
    };
    const { browser } = await signInThrough(sides, 'bea', renamed);
    expect((await sessionOf(browser)).body.user.username).toBe('bea');
    await signInThrough(sides, 'BEA', { preferred_username: 'bea' });
    expect((await identities('BEA'))[0]?.username).toBe('bea-2');
  });
});

it('of ten first sign-ins of one person at once, all come in and one account is made', async () => {
  provider.world.people.set('many', { preferred_username: 'many', groups: ['readers'] });
  const browsers = Array.from({ length: 10 }, createBrowser);
  const begun = browsers.map(async (browser) => ({ browser, url: await goToProvider(sides, 'many', browser) }));
  const answers = await Promise.all((await Promise.all(begun)).map(({ browser, url }) => browser.get(url)));
  expect(answers.map(({ location }) => outcomeOf(location))).toEqual(Array.from({ length: 10 }, () => '/'));
  expect(await identities('many')).toHaveLength(1);
});

it('keys are asked for once, and a provider may change them from one sign-in to the next', async () => {
  const asked = () => provider.world.asked.filter((path) => path === '/jwks').length;
  await signInThrough(sides, 'keys', { preferred_username: 'keys' });
  const before = asked();
  expect(outcomeOf((await signInThrough(sides, 'keys')).location)).toBe('/');
  expect(asked()).toBe(before);
  provider.changeKeys();
  expect(outcomeOf((await signInThrough(sides, 'keys')).location)).toBe('/');
  expect(asked()).toBe(before + 1);
});

it('sign-ins that were begun and are over go as others begin', async () => {
  const begin = () => createBrowser().get(`${server.origin}/sign-in/oidc`);
  const left = async () => (await server.sql('select 1 from begun_sign_ins')).length;
  for (let count = 0; count < 6; count++) await begin();
  await server.sql(`update begun_sign_ins set expires_at = now() - interval '1 second'`);
  for (let count = 0; count < 4; count++) await begin();
  expect(await left()).toBeLessThanOrEqual(5);
});
