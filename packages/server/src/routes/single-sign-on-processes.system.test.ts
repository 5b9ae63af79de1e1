/** Single sign-on with two server processes, and with a provider that does not answer. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBrowser } from '../../testing/browser.ts';
import { startOpenIdProvider, type OpenIdCounterpart } from '../../testing/counterparts/openid-provider.ts';
import { withClient } from '../../testing/postgres.ts';
import { startServerProcess } from '../../testing/server-process.ts';
import { goToProvider, outcomeOf } from '../../testing/single-sign-on.ts';
import { startTwoServers, type TwoServers } from '../../testing/two-servers.ts';

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

/** Both stand behind one address, as a balancer has it: what the browser keeps for one it sends to the other. */
const balanced = () => {
  const browser = createBrowser();
  const share = () => {
    for (const [name, value] of browser.jarOf(servers.one.url)) browser.jarOf(servers.other.url).set(name, value);
  };
  return { browser, share };
};

it('begins in one process and ends in the other, and once', async () => {
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

/** What a proxy adds for somebody at that address. */
const through = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' });
const begin = async (origin: string, headers: Record<string, string>) => {
  const { location, response } = await createBrowser(headers).get(`${origin}/sign-in/oidc`);
  return { where: outcomeOf(location), cookies: response.headers.getSetCookie().length };
};

it('five thousand are begun from one address, at whichever process, until somebody comes in (V2.4.1)', async () => {
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

/** Thirty who sign in at once, at a process that knows nothing of its provider yet, while the provider is silent. */
async function whileSilent(then: (url: string, waiting: Promise<string>[]) => Promise<void>): Promise<void> {
  const fresh = await startServerProcess({ ...provider.settings, DATABASE_URL: servers.database.databaseUrl });
  provider.world.trouble = 'silent';
  try {
    const waiting = Array.from({ length: 30 }, async () => {
      const { location } = await createBrowser().get(`${fresh.url}/sign-in/oidc`);
      return outcomeOf(location);
    });
    await then(fresh.url, waiting);
  } finally {
    provider.world.trouble = undefined;
    await fresh.stop();
  }
}

it('a provider that does not answer is asked once for all who wait, and everybody is told in a sentence', async () => {
  const before = provider.world.asked.length;
  await whileSilent(async (url, waiting) => {
    expect([...new Set(await Promise.all(waiting))]).toEqual(['provider_unavailable']);
    expect(provider.world.asked.length - before).toBe(1);
    provider.world.trouble = undefined;
    const leadsTo = async () => (await begin(url, {})).where;
    await expect.poll(leadsTo).toMatch(`${provider.issuer}/auth?`);
  });
});

it('a provider that does not answer slows down nobody else', { tags: ['nightly'] }, async () => {
  await whileSilent(async (url, waiting) => {
    let anyCameBack = false;
    void Promise.race(waiting).then(() => (anyCameBack = true));
    for (let count = 0; count < 20; count++) expect((await fetch(`${url}/-/ready`)).status).toBe(200);
    expect(anyCameBack).toBe(false);
    await Promise.all(waiting);
  });
});

it('a provider that has gone is told as well', async () => {
  const gone = {
    ...provider.settings,
    MILEPOST_OIDC_ISSUER: 'http://127.0.0.1:9',
    DATABASE_URL: servers.database.databaseUrl,
  };
  const lonely = await startServerProcess(gone);
  const { location } = await createBrowser().get(`${lonely.url}/sign-in/oidc`);
  expect(outcomeOf(location)).toBe('provider_unavailable');
  await lonely.stop();
});
