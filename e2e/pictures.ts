/**
 * `npm run pictures`: takes the screenshots of the README from the demo. Run `npm run build` first to build the pages, and
 * check the screenshots before you commit them.
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createDevFolder, signalGroup, startDev } from '../packages/milepost/testing/dev-process.ts';
import { launchChromium, signedIn } from './browser/chromium.ts';
import { connectToDev } from './connection.ts';

const folder = 'docs/pictures';
/** Time for the demo to have decisions, failed runs, and experiments in most states. */
const warmUpMs = 60_000;

async function takeScreenshot(page: Page, path: string, name: string, heading: RegExp): Promise<void> {
  await page.goto(path);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('heading', { name: heading }).first().waitFor();
  await page
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'detached' });
  await page.screenshot({ path: `${folder}/${name}.png` });
  console.log(`${folder}/${name}.png`);
}

const data = await createDevFolder();
const dev = await startDev(data.path, /Username: coordinator/, ['--demo']);
const browser = await launchChromium();
try {
  await mkdir(folder, { recursive: true });
  const product = await connectToDev(dev);
  const { page } = await signedIn({ browser, product }, { viewport: { width: 1440, height: 900 } });
  await setTimeout(warmUpMs);
  const { items } = await product.client.listAttention({ query: { kind: 'decide', limit: 1 } });
  await takeScreenshot(page, '/', 'attention', /^\d+ experiments need attention/);
  await takeScreenshot(page, '/workflows/1', 'workflow', /^brain_mri/);
  await takeScreenshot(page, `/experiments/${items[0]?.experiment.id ?? 1}`, 'experiment', /-/);
} finally {
  await browser.close();
  await signalGroup(dev.child, 'SIGINT');
  await data.remove();
}
