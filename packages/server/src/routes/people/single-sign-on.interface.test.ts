/**
 * Single sign-on through a real OpenID Connect provider.
 *
 * @module-tag sql
 */
import { sessionCookie } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, type Browser } from '../../../testing/browser.ts';
import { startOpenIdProvider, type OpenIdCounterpart } from '../../../testing/counterparts/openid-provider.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { goToProvider, outcomeOf, signInWithProvider, type Sides } from '../../../testing/single-sign-on.ts';

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
  it('creates an account with the mapped roles but no password, and redirects to the requested page', async () => {
    const { status, location, browser } = await signInWithProvider(sides, 'ann-1', ann, '/experiments?state=3');
    expect([status, outcomeOf(location)]).toEqual([303, '/experiments?state=3']);
    const [user] = await identities('ann-1');
    expect(user).toMatchObject({ username: 'ann', email: ann.email, password_hash: null, issuer: provider.issuer });
    const { status: seen, body } = await sessionOf(browser);
    expect([seen, body.user.name, body.roles]).toEqual([200, 'Ann Other', ['superuser', 'user']]);
  });

  it('records the account as created by the operator, and the session as created by the user', async () => {
    const [user] = await identities('ann-1');
    const [created, signedIn, ...more] = await historyOf(user?.id ?? 0);
    expect(created).toMatchObject({ actor_kind: 'operator', actor_id: null, before: null });
    expect(created?.after).toMatchObject({ username: 'ann', subject: 'ann-1', issuer: provider.issuer });
    expect(created?.after['roles']).toEqual(['superuser', 'user']);
    expect(signedIn).toMatchObject({ actor_kind: 'user', actor_id: user?.id });
    expect(more).toEqual([]);
  });

  it('sets the last sign-in of the account to the start of the session', async () => {
    const [user] = await identities('ann-1');
    const query = { after: (user?.id ?? 1) - 1, limit: 1 };
    const [session] = await server.sql<{ at: Date }>('select max(created_at) as at from sessions where user_id = $1', [
      user?.id,
    ]);
    const { body } = await server.call('listUserRows', { query });
    expect(body.users).toMatchObject([{ kind: 'person', last_sign_in_at: session?.at.toISOString() }]);
  });

  it('sends a code challenge, a state and a nonce to the provider, and sets a host-only cookie for ten minutes', async () => {
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

  it('chooses a valid, unused username and stores only a verified e-mail', async () => {
    await signInWithProvider(sides, 'ann-2', {
      preferred_username: 'ANN',
      email: 'ann2@example.org',
      groups: 'readers',
    });
    await signInWithProvider(sides, 'odd', { preferred_username: ' :b c\u0000/..', groups: [] });
    await signInWithProvider(sides, 'none', { preferred_username: 7 });
    const [second] = await identities('ann-2');
    expect(second?.username).toBe('ANN-2');
    expect(second?.email).toMatch(unreachable);
    expect((await identities('odd'))[0]?.username).toBe('b-c');
    expect((await identities('none'))[0]?.username).toBe('user');
  });

  it('creates a separate account for a user with the e-mail of an administrator', async () => {
    const before = await accounts();
    const mallory = { preferred_username: 'm', email: 'ADMIN@example.org', email_verified: true };
    const { browser, location } = await signInWithProvider(sides, 'mallory', mallory);
    expect(outcomeOf(location)).toBe('/');
    const [created, ...more] = await identities('mallory');
    expect([created?.username, more]).toEqual(['m', []]);
    expect(created?.email).toMatch(unreachable);
    expect((await sessionOf(browser)).body).toMatchObject({ user: { id: created?.id }, roles: [] });
    expect((await accounts()).filter(({ username }) => username !== 'm')).toEqual(before);
  });

  it('assigns no role and no permission to a user whose groups are not mapped', async () => {
    const { browser } = await signInWithProvider(sides, 'guest', {
      preferred_username: 'guest',
      groups: ['SCANNERS', 'x'],
    });
    const { body } = await sessionOf(browser);
    expect(body.roles).toEqual([]);
    const cookie = `${sessionCookie}=${browser.jarOf(server.origin).get(sessionCookie)}`;
    expect((await server.call('listCohorts', { as: null, headers: { cookie } })).status).toBe(403);
  });
});

describe('a later sign-in', () => {
  const before = { preferred_username: 'bea', groups: ['heads', 'scanners'] };

  it('starts a session with the usual lifetime (V7.6.1)', async () => {
    const { browser } = await signInWithProvider(sides, 'ann-1', ann);
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

  it('assigns and removes mapped roles according to the groups claim, and keeps all other roles', async () => {
    await signInWithProvider(sides, 'bea', before);
    const [{ id, username } = { id: 0, username: '' }] = await identities('bea');
    await server.sql(`insert into roles (name, permissions) values ('by hand', '{audit_read}')`);
    await server.call('assignUserRole', { params: { username, role_name: 'by hand' } });
    const { browser } = await signInWithProvider(sides, 'bea', { ...before, groups: ['readers', 'heads'] });
    const { body } = await sessionOf(browser);
    expect(body.roles.toSorted()).toEqual(['admin', 'by hand', 'user']);
    expect(body.user.id).toBe(id);
    const changes = (await historyOf(id)).filter(({ after }) => 'has_role' in after);
    expect(changes.map(({ actor_kind, before: was, after }) => [actor_kind, was, after])).toEqual([
      ['operator', { role: 'superuser', has_role: true }, { role: 'superuser', has_role: false }],
      ['operator', { role: 'user', has_role: false }, { role: 'user', has_role: true }],
    ]);
  });

  it('writes only its session if nothing changed', async () => {
    const [{ id } = { id: 0 }] = await identities('bea');
    const entries = (await historyOf(id)).length;
    await signInWithProvider(sides, 'bea');
    const [latest, ...more] = (await historyOf(id)).slice(entries);
    expect([Object.keys(latest?.after ?? {}).toSorted(), more]).toEqual([['address', 'session_id', 'user_agent'], []]);
  });

  it('identifies the user by subject, not by name or e-mail (V10.5.2)', async () => {
    const renamed = {
      preferred_username: 'beatrix',
      email: 'new@example.org',
      email_verified: true,
      groups: ['heads'],
    };
    const { browser } = await signInWithProvider(sides, 'bea', renamed);
    expect((await sessionOf(browser)).body.user.username).toBe('bea');
    await signInWithProvider(sides, 'BEA', { preferred_username: 'bea' });
    expect((await identities('BEA'))[0]?.username).toBe('bea-2');
  });
});

it('ten concurrent first sign-ins of a user create one account, and all succeed', async () => {
  provider.world.people.set('many', { preferred_username: 'many', groups: ['readers'] });
  const browsers = Array.from({ length: 10 }, createBrowser);
  const begun = browsers.map(async (browser) => ({ browser, url: await goToProvider(sides, 'many', browser) }));
  const answers = await Promise.all((await Promise.all(begun)).map(({ browser, url }) => browser.get(url)));
  expect(answers.map(({ location }) => outcomeOf(location))).toEqual(Array.from({ length: 10 }, () => '/'));
  expect(await identities('many')).toHaveLength(1);
});

it('the server fetches the keys of the provider once, and again after they change', async () => {
  const keyRequests = () => provider.world.requestedPaths.filter((path) => path === '/jwks').length;
  await signInWithProvider(sides, 'keys', { preferred_username: 'keys' });
  const before = keyRequests();
  expect(outcomeOf((await signInWithProvider(sides, 'keys')).location)).toBe('/');
  expect(keyRequests()).toBe(before);
  provider.changeKeys();
  expect(outcomeOf((await signInWithProvider(sides, 'keys')).location)).toBe('/');
  expect(keyRequests()).toBe(before + 1);
});

it('expired sign-ins are deleted when new sign-ins start', async () => {
  const begin = () => createBrowser().get(`${server.origin}/sign-in/oidc`);
  const left = async () => (await server.sql('select 1 from begun_sign_ins')).length;
  for (let count = 0; count < 6; count++) await begin();
  await server.sql(`update begun_sign_ins set expires_at = now() - interval '1 second'`);
  for (let count = 0; count < 4; count++) await begin();
  expect(await left()).toBeLessThanOrEqual(5);
});
