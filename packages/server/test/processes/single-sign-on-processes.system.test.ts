/** Single sign-on with two servers, and with a provider that does not respond. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowser } from '../../testing/browser.ts';
import { startOpenIdProvider, type OpenIdCounterpart } from '../../testing/counterparts/openid-provider.ts';
import { withClient } from '../../testing/test-database.ts';
import { startServerProcess } from '../../testing/processes/server-process.ts';
import { goToProvider, outcomeOf } from '../../testing/single-sign-on.ts';
import { startTwoServers, type TwoServers } from '../../testing/processes/two-servers.ts';

let provider: OpenIdCounterpart;
let servers: TwoServers;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  servers = await startTwoServers({ ...provider.settings, MILEPOST_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(async () => {
  await servers.stop();
  await provider.stop();
});

/** Shares cookies between both servers, as behind a load balancer. */
const balanced = () => {
  const browser = createBrowser();
  const share = () => {
    for (const [name, value] of browser.jarOf(servers.one.url)) browser.jarOf(servers.other.url).set(name, value);
  };
  return { browser, share };
};

it('a sign-in can start on one server and complete on another, but only once', async () => {
  provider.world.people.set('ann', { preferred_username: 'ann', groups: ['readers'] });
  const { browser, share } = balanced();
  const callback = await goToProvider({ origin: servers.one.url, provider }, 'ann', browser, '/workflows');
  share();
  const there = callback.replace(servers.one.url, servers.other.url);
  expect(outcomeOf((await browser.get(there)).location)).toBe('/workflows');
  expect(outcomeOf((await browser.get(callback)).location)).toBe('sign_in_expired');
  const cookie = [...browser.jarOf(servers.other.url)].map((pair) => pair.join('=')).join('; ');
  const statuses = [servers.one, servers.other].map(
    async ({ baseUrl }) => (await fetch(`${baseUrl}/session`, { headers: { cookie } })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200]);
});

/** Headers that a proxy adds for a client address. */
const through = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
const begin = async (origin: string, headers: Record<string, string>) => {
  const { location, response } = await createBrowser(headers).get(`${origin}/sign-in/oidc`);
  return { where: outcomeOf(location), cookies: response.headers.getSetCookie().length };
};

it('sign-in attempts from one address are limited to five thousand across servers until one succeeds (V2.4.1)', async () => {
  const [crowded, free] = [through('192.0.2.7'), through('192.0.2.8')];
  const sql = (text: string) =>
    withClient(servers.database.ownerUrl, async (client) => (await client.query(text)).rowCount);
  const stored = () => sql('select from begun_sign_ins');
  const before = (await stored()) ?? 0;
  provider.world.people.set('bob', { preferred_username: 'bob' });
  const bob = createBrowser(crowded);
  const callback = await goToProvider({ origin: servers.one.url, provider }, 'bob', bob);
  expect(await sql('update sign_in_failures set count = 4901')).toBe(1);
  const origins = Array.from({ length: 110 }, (_, index) => (index % 2 ? servers.one.url : servers.other.url));
  const answers = await Promise.all(origins.map((origin) => begin(origin, crowded)));
  const refused = answers.filter(({ cookies }) => cookies === 0);
  expect(refused).toEqual(Array.from({ length: 11 }, () => ({ where: 'too_many_sign_ins', cookies: 0 })));
  expect(await stored()).toBe(before + 100);
  const atProvider = { where: expect.stringContaining(`${provider.issuer}/auth?`), cookies: 1 };
  expect(await begin(servers.other.url, free)).toEqual(atProvider);
  expect(outcomeOf((await bob.get(callback)).location)).toBe('/');
  expect(await begin(servers.other.url, crowded)).toEqual(atProvider);
});

/** Thirty concurrent sign-ins on a server that has not contacted its provider yet, while the provider does not respond. */
async function whileSilent(then: (url: string, waiting: Promise<string>[]) => Promise<void>): Promise<void> {
  const fresh = await startServerProcess({ ...provider.settings, DATABASE_URL: servers.database.databaseUrl });
  provider.world.outage = 'silent';
  try {
    const waiting = Array.from({ length: 30 }, async () => {
      const { location } = await createBrowser().get(`${fresh.url}/sign-in/oidc`);
      return outcomeOf(location);
    });
    await then(fresh.url, waiting);
  } finally {
    provider.world.outage = undefined;
    await fresh.stop();
  }
}

it('concurrent sign-ins send one request to a silent provider, and each reports the failure', async () => {
  const before = provider.world.requestedPaths.length;
  await whileSilent(async (url, waiting) => {
    expect([...new Set(await Promise.all(waiting))]).toEqual(['provider_unavailable']);
    expect(provider.world.requestedPaths.length - before).toBe(1);
    provider.world.outage = undefined;
    const leadsTo = async () => (await begin(url, {})).where;
    await expect.poll(leadsTo).toMatch(`${provider.issuer}/auth?`);
  });
});

it('the server responds to other requests while the provider does not respond', { tags: ['nightly'] }, async () => {
  await whileSilent(async (url, waiting) => {
    let anyCameBack = false;
    void Promise.race(waiting).then(() => (anyCameBack = true));
    for (let count = 0; count < 20; count++) expect((await fetch(`${url}/-/ready`)).status).toBe(200);
    expect(anyCameBack).toBe(false);
    await Promise.all(waiting);
  });
});

it('a sign-in reports an unreachable provider as unavailable', async () => {
  const settings = {
    ...provider.settings,
    MILEPOST_OIDC_ISSUER: 'http://127.0.0.1:9',
    DATABASE_URL: servers.database.databaseUrl,
  };
  const server = await startServerProcess(settings);
  const { location } = await createBrowser().get(`${server.url}/sign-in/oidc`);
  expect(outcomeOf(location)).toBe('provider_unavailable');
  await server.stop();
});
