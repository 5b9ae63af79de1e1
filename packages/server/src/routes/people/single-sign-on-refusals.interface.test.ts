/** Single sign-on rejects every invalid callback or token and writes nothing. */
import { sessionCookie } from '@milepost/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, type Browser } from '../../../testing/browser.ts';
import { startOpenIdProvider, type OpenIdCounterpart } from '../../../testing/counterparts/openid-provider.ts';
import * as forged from '../../../testing/forged-tokens.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { signIn } from '../../../testing/sessions.ts';
import { goToProvider, outcomeOf, signInWithProvider, type Sides } from '../../../testing/single-sign-on.ts';

let provider: OpenIdCounterpart;
let server: TestServer;
let sides: Sides;
let logged = '';
beforeAll(async () => {
  provider = await startOpenIdProvider();
  const logTo = { write: (line: string) => void (logged += line) };
  server = await startTestServer({ settings: provider.settings, logTo });
  sides = { origin: server.origin, provider };
  provider.world.people.set('eve', { preferred_username: 'eve', groups: ['heads'] });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});
afterEach(() => {
  provider.world.forge = undefined;
  provider.world.outage = undefined;
});

/** Everything that a sign-in can write, except its start. */
const written = async () =>
  (
    await server.sql(`select (select jsonb_agg(users) from users) as users, (select jsonb_agg(user_roles) from user_roles) as roles,
      (select count(*) from sessions) as sessions, (select count(*) from user_identities) as identities,
      (select count(*) from history) as history, (select count(*) from events) as events`)
  )[0];

/** Expects the callback to write nothing and start no session, and returns its problem. */
async function rejected(browser: Browser, callback: string): Promise<string> {
  const before = await written();
  const { location, status } = await browser.get(callback);
  expect(await written()).toEqual(before);
  expect(browser.jarOf(server.origin).has(sessionCookie)).toBe(false);
  expect(status).toBe(303);
  return outcomeOf(location);
}

const cookieName = '__Host-milepost-sign-in';
const withParameter = (url: string, name: string, value: string) => {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
};

describe('a sign-in callback', () => {
  it('with a wrong or missing state is rejected, and the right callback still works (V10.2.1)', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    expect(await rejected(browser, withParameter(callback, 'state', 'x'.repeat(43)))).toBe('sign_in_expired');
    expect(await rejected(browser, callback.replace(/state=[^&]+&?/, ''))).toBe('sign_in_expired');
    expect(outcomeOf((await browser.get(callback)).location)).toBe('/');
  });

  it('in another browser is rejected, even if that browser has started its own sign-in (V10.1.2)', async () => {
    const callback = await goToProvider(sides, 'eve', createBrowser());
    expect(await rejected(createBrowser(), callback)).toBe('sign_in_expired');
    const other = createBrowser();
    await goToProvider(sides, 'eve', other);
    expect(await rejected(other, callback)).toBe('sign_in_expired');
  });

  it('is rejected when replayed, even with its cookie (V10.5.1)', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    const secret = browser.jarOf(server.origin).get(cookieName) ?? '';
    await browser.get(callback);
    const again = createBrowser();
    again.jarOf(server.origin).set(cookieName, secret);
    expect(await rejected(again, callback)).toBe('sign_in_expired');
  });

  it('succeeds once if it is sent twice concurrently', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    const answers = await Promise.all([browser.get(callback), browser.get(callback)]);
    expect(answers.map(({ location }) => outcomeOf(location)).toSorted()).toEqual(['/', 'sign_in_expired']);
  });

  it('is rejected after ten minutes', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    await server.sql(`update begun_sign_ins set expires_at = expires_at - interval '10 minutes'`);
    expect(await rejected(browser, callback)).toBe('sign_in_expired');
  });

  it('with a code that was already redeemed is rejected', async () => {
    const used = new URL((await signInWithProvider(sides, 'eve')).callback).searchParams.get('code') ?? '';
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    expect(await rejected(browser, withParameter(callback, 'code', used))).toBe('sign_in_refused');
  });

  it('with the code of another sign-in is rejected, as the PKCE verifier differs (V10.2.1)', async () => {
    const other = new URL(await goToProvider(sides, 'eve', createBrowser())).searchParams.get('code') ?? '';
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    expect(await rejected(browser, withParameter(callback, 'code', other))).toBe('sign_in_refused');
  });

  it.each([
    ['another issuer', (url: string) => withParameter(url, 'iss', 'https://id.evil.example')],
    ['a missing issuer', (url: string) => url.replace(/&iss=[^&]+/, '')],
    ['two codes', (url: string) => `${url}&code=other`],
  ])('with %s is rejected (V10.2.2)', async (_what, change) => {
    const browser = createBrowser();
    expect(await rejected(browser, change(await goToProvider(sides, 'eve', browser)))).toBe('sign_in_refused');
  });

  it('of a cancelled sign-in reports the cancellation without text from the provider', async () => {
    const browser = createBrowser();
    const begun = await browser.get(`${server.origin}/sign-in/oidc`);
    provider.world.nextUser = undefined;
    let step = await browser.get(begun.location);
    while (step.location.startsWith(provider.issuer)) step = await browser.get(step.location);
    const callback = step.location.replace('https://milepost.example.org', server.origin);
    expect(callback).toContain('script');
    const before = await written();
    const { location } = await browser.get(callback);
    expect(location).toBe('https://milepost.example.org/sign-in?problem=sign_in_cancelled');
    expect(await written()).toEqual(before);
  });
});

describe('an ID token', () => {
  it.each([
    ['signed by another key', forged.signedByAnotherKey],
    ['signed by another key with the id of the right key', forged.signedByAnotherKeyWithSameId],
    ['without a signature', forged.unsigned],
    ['with changed claims', forged.withChangedClaims],
    ['signed with the client secret', forged.signedWithClientSecret],
  ])('%s is rejected (V6.8.2, V9.1.1, V9.1.2, V9.1.3)', async (_what, forge) => {
    provider.world.forge = forge;
    const browser = createBrowser();
    expect(await rejected(browser, await goToProvider(sides, 'eve', browser))).toBe('sign_in_refused');
  });

  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['with another nonce', { nonce: 'another' }],
    ['of another issuer', { iss: 'https://id.evil.example' }],
    ['for another client', { aud: 'another' }],
    ['for several clients but issued to another client', { aud: ['milepost', 'another'], azp: 'another' }],
    ['for this client but issued to another client', { azp: 'another' }],
    ['that has expired', { exp: now - 3600, iat: now - 7200 }],
    ['without a subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'x'.repeat(256) }],
  ])(
    '%s is rejected, although the right key signed it (V9.2.1, V9.2.2, V9.2.3, V10.5.1, V10.5.4)',
    async (_what, claims) => {
      provider.world.forge = forged.signedWithClaims(claims);
      const browser = createBrowser();
      expect(await rejected(browser, await goToProvider(sides, 'eve', browser))).toBe('sign_in_refused');
    },
  );

  it('is accepted if it is signed again without changes', async () => {
    provider.world.forge = forged.signedWithClaims({});
    expect(outcomeOf((await signInWithProvider(sides, 'eve')).location)).toBe('/');
  });
});

describe('an account', () => {
  it('cannot sign in if it is inactive', async () => {
    await signInWithProvider(sides, 'ida', { preferred_username: 'ida', groups: ['readers'] });
    const [ida] = await server.sql<{ id: number }>(`select user_id as id from user_identities where subject = 'ida'`);
    await server.call('deleteUser', { params: { id: ida?.id ?? 0 } });
    provider.world.people.set('ida', { preferred_username: 'ida', groups: ['heads'] });
    const browser = createBrowser();
    expect(await rejected(browser, await goToProvider(sides, 'ida', browser))).toBe('account_inactive');
  });

  it('with the same subject at another issuer is a different account (V6.8.1)', async () => {
    await signInWithProvider(sides, 'twin', { preferred_username: 'twin', groups: ['heads'] });
    await server.sql(`update user_identities set issuer = 'https://id.other.example' where subject = 'twin'`);
    await signInWithProvider(sides, 'twin', { preferred_username: 'twin', groups: [] });
    const twins = await server.sql(
      `select username, array(select role_id::int from user_roles where user_id = users.id) as roles
       from users join user_identities on user_id = users.id where subject = 'twin' order by id`,
    );
    expect(twins).toEqual([
      { username: 'twin', roles: [1] },
      { username: 'twin-2', roles: [] },
    ]);
  });

  it('of the last administrator cannot sign in if the sign-in would remove the role admin', async () => {
    await signInWithProvider(sides, 'boss', { preferred_username: 'boss', groups: ['heads'] });
    await server.sql(`delete from user_roles where role_id = 1 and user_id <>
      (select user_id from user_identities where subject = 'boss')`);
    provider.world.people.set('boss', { preferred_username: 'boss', groups: ['readers'] });
    const browser = createBrowser();
    expect(await rejected(browser, await goToProvider(sides, 'boss', browser))).toBe('last_admin');
  });
});

const begin = (from: string) =>
  fetch(`${server.origin}/sign-in/oidc`, { redirect: 'manual', headers: { 'sec-fetch-site': from } });

describe('a sign-in', () => {
  it.each(['cross-site', 'same-site'])(
    'started by a %s request is rejected, so that it requires user interaction (V7.6.2)',
    async (site) => {
      const { headers } = await begin(site);
      expect([outcomeOf(headers.get('location') ?? ''), headers.getSetCookie()]).toEqual(['sign_in_expired', []]);
      expect((await begin('same-origin')).headers.get('location')).toContain(provider.issuer);
    },
  );
});

describe('return_to', () => {
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    ' /x',
    'x',
    '',
    '/.//evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    '/x\r\nset-cookie: a=b',
    '/sign-in/oidc',
    '/sign-in/../sign-in/oidc',
    `/${'x'.repeat(1000)}`,
  ])('is rejected if it is %j', async (returnTo) => {
    const query = new URLSearchParams({ return_to: returnTo }).toString();
    const answer = await createBrowser().get(`${server.origin}/sign-in/oidc?${query}`);
    expect([answer.status, answer.location, answer.response.headers.getSetCookie()]).toEqual([400, '', []]);
  });

  it('cannot be given twice', async () => {
    const { status } = await createBrowser().get(`${server.origin}/sign-in/oidc?return_to=/a&return_to=/b`);
    expect(status).toBe(400);
  });
});

it.each(['/sign-in/oidc', '/sign-in/oidc/callback?state=x'])('%s is rejected over plain HTTP', async (path) => {
  const headers = { origin: 'http://milepost.example.org' };
  const answer = await fetch(server.origin + path, { headers, redirect: 'manual' });
  expect(outcomeOf(answer.headers.get('location') ?? '')).toBe('insecure_connection');
  expect(answer.headers.getSetCookie()).toEqual([]);
});

describe('a provider', () => {
  it.each(['silent', 'broken'] as const)(
    'is reported as unavailable and does not block other requests if it is %s during the sign-in callback (V16.5.2)',
    async (trouble) => {
      const browser = createBrowser();
      const callback = await goToProvider(sides, 'eve', browser);
      provider.world.outage = trouble;
      const pending = rejected(browser, callback);
      // Other requests succeed meanwhile, and signing in with a password still works.
      expect((await server.call('getSession')).status).toBe(200);
      expect(await pending).toBe('provider_unavailable');
      expect((await signIn(server, 'admin')).status).toBe(201);
    },
  );
});

it('the log contains the reason for a failed sign-in, but no secrets, codes or tokens', () => {
  expect(logged).toContain('single sign-on failed');
  expect(logged).not.toContain(provider.settings.MILEPOST_OIDC_CLIENT_SECRET);
  expect(logged).not.toMatch(/eyJ[\w-]+\.|code=|code_verifier/);
});
