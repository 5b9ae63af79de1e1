/** Whoever comes back with anything that is not exactly right stays out, and nothing is written. */
import { sessionCookie } from '@milepost/api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, type Browser } from '../../testing/browser.ts';
import { startOpenIdProvider, type OpenIdCounterpart } from '../../testing/counterparts/openid-provider.ts';
import * as forged from '../../testing/forged-tokens.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { signIn } from '../../testing/sessions.ts';
import { goToProvider, outcomeOf, signInThrough, type Sides } from '../../testing/single-sign-on.ts';

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
  provider.world.trouble = undefined;
});

/** Everything that a sign-in could have written, but for what says that one has begun. */
const written = async () =>
  (
    await server.sql(`select (select jsonb_agg(users) from users) as users, (select jsonb_agg(user_roles) from user_roles) as roles,
      (select count(*) from sessions) as sessions, (select count(*) from user_identities) as identities,
      (select count(*) from history) as history, (select count(*) from events) as events`)
  )[0];

/** What comes of it, where nothing was written and nobody is signed in. */
async function refused(browser: Browser, callback: string): Promise<string> {
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

describe('a callback', () => {
  it('with another state, or with none, is refused; the right one still works (V10.2.1)', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    expect(await refused(browser, withParameter(callback, 'state', 'x'.repeat(43)))).toBe('sign_in_expired');
    expect(await refused(browser, callback.replace(/state=[^&]+&?/, ''))).toBe('sign_in_expired');
    expect(outcomeOf((await browser.get(callback)).location)).toBe('/');
  });

  it('in another browser is refused, also in one that has begun a sign-in of its own (V10.1.2)', async () => {
    const callback = await goToProvider(sides, 'eve', createBrowser());
    expect(await refused(createBrowser(), callback)).toBe('sign_in_expired');
    const other = createBrowser();
    await goToProvider(sides, 'eve', other);
    expect(await refused(other, callback)).toBe('sign_in_expired');
  });

  it('that was used is refused when it comes again, also with the cookie of then (V10.5.1)', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    const secret = browser.jarOf(server.origin).get(cookieName) ?? '';
    await browser.get(callback);
    const again = createBrowser();
    again.jarOf(server.origin).set(cookieName, secret);
    expect(await refused(again, callback)).toBe('sign_in_expired');
  });

  it('of two at once one comes in', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    const answers = await Promise.all([browser.get(callback), browser.get(callback)]);
    expect(answers.map(({ location }) => outcomeOf(location)).toSorted()).toEqual(['/', 'sign_in_expired']);
  });

  it('after ten minutes is refused', async () => {
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    await server.sql(`update begun_sign_ins set expires_at = expires_at - interval '10 minutes'`);
    expect(await refused(browser, callback)).toBe('sign_in_expired');
  });

  it('with a code that was redeemed already is refused', async () => {
    const used = new URL((await signInThrough(sides, 'eve')).callback).searchParams.get('code') ?? '';
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    expect(await refused(browser, withParameter(callback, 'code', used))).toBe('sign_in_refused');
  });

  it('with the code of another sign-in is refused: its verifier is another (V10.2.1)', async () => {
    const other = new URL(await goToProvider(sides, 'eve', createBrowser())).searchParams.get('code') ?? '';
    const browser = createBrowser();
    const callback = await goToProvider(sides, 'eve', browser);
    expect(await refused(browser, withParameter(callback, 'code', other))).toBe('sign_in_refused');
  });

  it.each([
    ['another issuer', (url: string) => withParameter(url, 'iss', 'https://id.evil.example')],
    ['no issuer, where the provider promises one', (url: string) => url.replace(/&iss=[^&]+/, '')],
    ['two codes', (url: string) => `${url}&code=other`],
  ])('with %s is refused (V10.2.2)', async (_what, change) => {
    const browser = createBrowser();
    expect(await refused(browser, change(await goToProvider(sides, 'eve', browser)))).toBe('sign_in_refused');
  });

  it('of somebody who cancelled says so, without a word of the provider', async () => {
    const browser = createBrowser();
    const begun = await browser.get(`${server.origin}/sign-in/oidc`);
    provider.world.next = undefined;
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

describe('a token', () => {
  it.each([
    ['signed by another key', forged.bySomebodyElse],
    ['signed by another key under the name of the right one', forged.underTheRightName],
    ['without a signature', forged.unsigned],
    ['whose claims were changed', forged.altered],
    ['signed with the secret of the client', forged.symmetric],
  ])('%s is refused (V6.8.2, V9.1.1, V9.1.2, V9.1.3)', async (_what, forge) => {
    provider.world.forge = forge;
    const browser = createBrowser();
    expect(await refused(browser, await goToProvider(sides, 'eve', browser))).toBe('sign_in_refused');
  });

  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['of another nonce', { nonce: 'another' }],
    ['of another issuer', { iss: 'https://id.evil.example' }],
    ['for somebody else', { aud: 'another' }],
    ['for us and others, made for others', { aud: ['milepost', 'another'], azp: 'another' }],
    ['for us, made for others', { azp: 'another' }],
    ['that has expired', { exp: now - 3600, iat: now - 7200 }],
    ['without a subject', { sub: '' }],
    ['with a subject that is too long', { sub: 'x'.repeat(256) }],
  ])(
    '%s is refused, though the right key has signed it (V9.2.1, V9.2.2, V9.2.3, V10.5.1, V10.5.4)',
    async (_what, claims) => {
      provider.world.forge = forged.signedAnew(claims);
      const browser = createBrowser();
      expect(await refused(browser, await goToProvider(sides, 'eve', browser))).toBe('sign_in_refused');
    },
  );

  it('signed in the same way with nothing changed is taken: it was the change that was refused', async () => {
    provider.world.forge = forged.signedAnew({});
    expect(outcomeOf((await signInThrough(sides, 'eve')).location)).toBe('/');
  });
});

describe('an account', () => {
  it('that is not active stays out', async () => {
    await signInThrough(sides, 'ida', { preferred_username: 'ida', groups: ['readers'] });
    const [ida] = await server.sql<{ id: number }>(`select user_id as id from user_identities where subject = 'ida'`);
    await server.call('deleteUser', { params: { id: ida?.id ?? 0 } });
    provider.world.people.set('ida', { preferred_username: 'ida', groups: ['heads'] });
    const browser = createBrowser();
    expect(await refused(browser, await goToProvider(sides, 'ida', browser))).toBe('account_inactive');
  });

  it('of the same subject at another issuer is somebody else (V6.8.1)', async () => {
    await signInThrough(sides, 'twin', { preferred_username: 'twin', groups: ['heads'] });
    await server.sql(`update user_identities set issuer = 'https://id.other.example' where subject = 'twin'`);
    await signInThrough(sides, 'twin', { preferred_username: 'twin', groups: [] });
    const twins = await server.sql(
      `select username, array(select role_id::int from user_roles where user_id = users.id) as roles
       from users join user_identities on user_id = users.id where subject = 'twin' order by id`,
    );
    expect(twins).toEqual([
      { username: 'twin', roles: [1] },
      { username: 'twin-2', roles: [] },
    ]);
  });

  it('that is the last administrator does not come in without being one', async () => {
    await signInThrough(sides, 'boss', { preferred_username: 'boss', groups: ['heads'] });
    await server.sql(`delete from user_roles where role_id = 1 and user_id <>
      (select user_id from user_identities where subject = 'boss')`);
    provider.world.people.set('boss', { preferred_username: 'boss', groups: ['readers'] });
    const browser = createBrowser();
    expect(await refused(browser, await goToProvider(sides, 'boss', browser))).toBe('last_admin');
  });
});

const begin = (from: string) =>
  fetch(`${server.origin}/sign-in/oidc`, { redirect: 'manual', headers: { 'sec-fetch-site': from } });

describe('a sign-in', () => {
  it.each(['cross-site', 'same-site'])(
    'that a page of another site begins (%s) needs an act of the person (V7.6.2)',
    async (site) => {
      const { headers } = await begin(site);
      expect([outcomeOf(headers.get('location') ?? ''), headers.getSetCookie()]).toEqual(['sign_in_expired', []]);
      expect((await begin('same-origin')).headers.get('location')).toContain(provider.issuer);
    },
  );
});

describe('where a sign-in leads', () => {
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
  ])('is never %j', async (returnTo) => {
    const query = new URLSearchParams({ return_to: returnTo }).toString();
    const answer = await createBrowser().get(`${server.origin}/sign-in/oidc?${query}`);
    expect([answer.status, answer.location, answer.response.headers.getSetCookie()]).toEqual([400, '', []]);
  });

  it('is not said twice', async () => {
    const { status } = await createBrowser().get(`${server.origin}/sign-in/oidc?return_to=/a&return_to=/b`);
    expect(status).toBe(400);
  });
});

it.each(['/sign-in/oidc', '/sign-in/oidc/callback?state=x'])('%s over plain http leads nowhere', async (path) => {
  const headers = { origin: 'http://milepost.example.org' };
  const answer = await fetch(server.origin + path, { headers, redirect: 'manual' });
  expect(outcomeOf(answer.headers.get('location') ?? '')).toBe('insecure_connection');
  expect(answer.headers.getSetCookie()).toEqual([]);
});

describe('a provider', () => {
  it.each(['silent', 'broken'] as const)(
    'that is %s when somebody comes back is told as out of order, and holds up nobody else (V16.5.2)',
    async (trouble) => {
      const browser = createBrowser();
      const callback = await goToProvider(sides, 'eve', browser);
      provider.world.trouble = trouble;
      const coming = refused(browser, callback);
      // Meanwhile everything else goes on, and afterwards who has a password comes in.
      expect((await server.call('getSession')).status).toBe(200);
      expect(await coming).toBe('provider_unavailable');
      expect((await signIn(server, 'admin')).status).toBe(201);
    },
  );
});

it('the log says what was wrong, and holds no secret, code or token', () => {
  expect(logged).toContain('single sign-on did not succeed');
  expect(logged).not.toContain(provider.settings.MILEPOST_OIDC_CLIENT_SECRET);
  expect(logged).not.toMatch(/eyJ[\w-]+\.|code=|code_verifier/);
});
