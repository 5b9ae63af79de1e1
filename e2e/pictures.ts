/**
 * `npm run pictures`: the pictures of the README, taken of the demo as it is. Run `npm run build` before, which makes the
 * pages. Look at them before you commit them.
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createDevFolder, signalGroup, startDev } from '../packages/milepost/testing/dev-process.ts';
import { launchChromium, signedIn } from './browser/chromium.ts';
import { servedBy } from './served.ts';

const folder = 'docs/pictures';
/** Until there is something to see: runs that failed, and experiments in most of the states. */
const untilAliveMs = 60_000;

async function take(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
  await page.screenshot({ path: `${folder}/${name}.png` });
  console.log(`${folder}/${name}.png`);
}

const data = await createDevFolder();
const dev = await startDev(data.path, /Username: coordinator/, ['--demo']);
const browser = await launchChromium();
try {
  await mkdir(folder, { recursive: true });
  const product = servedBy(dev);
  const { page } = await signedIn({ browser, product }, { viewport: { width: 1280, height: 800 } });
  await setTimeout(untilAliveMs);
  const { items } = await product.client.listAttention({ query: { kind: 'failed', limit: 1 } });
  await take(page, '/', 'attention');
  await take(page, '/workflows/1', 'workflow');
  await take(page, `/experiments/${items[0]?.experiment.id ?? 1}`, 'experiment');
} finally {
  await browser.close();
  await signalGroup(dev.child, 'SIGINT');
  await data.remove();
}
