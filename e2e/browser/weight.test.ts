/** The JavaScript that a browser loads before a signed-in user sees the rows of the start page. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn } from './chromium.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('weighing');

beforeAll(async () => {
  await env.study.experiment('heavy', 'segmenting');
  await (await env.study.claimRun()).finish('failed');
});

it('loads at most 250 KB of JavaScript for the start page', async () => {
  const { page, context } = await signedIn(env);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto('/');
  await page.getByRole('row', { name: /heavy/ }).waitFor();
  console.log(`${scripts.size} scripts, ${Math.round(bytes / 1000)} KB`);
  expect(scripts.size).toBeGreaterThan(0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(250_000);
});
