/** Journey 1: the package in an empty folder, with `npx milepost dev --demo`, a browser, `npx milepost doctor` and Ctrl-C. */
import { spawnSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchChromium, signedIn } from './browser/chromium.ts';
import { npx, startProduct, type Product } from './product.ts';

let browser: Browser;
let product: Product;

const startDemo = (data: string) => startProduct(inject('installed'), { data, demo: true });

beforeAll(async () => {
  [browser, product] = await Promise.all([launchChromium(), startDemo('milepost-data')]);
});
afterAll(() => browser?.close());

/** Opens the graph of the demo's workflow and waits until its counts change. Returns the errors of the page. */
async function watchDemoMove(demo: Product): Promise<string[]> {
  const { page, pageErrors } = await signedIn({ browser, product: demo });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('link', { name: 'brain_mri' }).click();
  const counts = () =>
    page
      .getByRole('button', { name: /\d experiments?/ })
      .evaluateAll((states) => states.map((state) => state.textContent).join('\n'));
  await expect.poll(counts).toMatch(/[1-9]\d* experiment/);
  const first = await counts();
  await expect.poll(counts).not.toBe(first);
  return pageErrors;
}

describe('the installed package', () => {
  it('shows the demo experiments moving in the browser', async () => {
    expect(await watchDemoMove(product)).toEqual([]);
  });

  it('passes all checks of milepost doctor', () => {
    const settings = { DATABASE_URL: product.databaseUrl, MILEPOST_PUBLIC_URL: product.url };
    const [program, ...flags] = npx;
    const { PATH, HOME } = process.env;
    const { stdout, stderr, status } = spawnSync(program, [...flags, 'doctor'], {
      cwd: inject('installed'),
      env: { PATH, HOME, ...settings },
      encoding: 'utf8',
    });
    const statuses = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ', 1)[0]);
    expect(statuses).toEqual(Array.from({ length: 11 }, () => 'ok'));
    expect(stderr).toContain('All checks passed.');
    expect(status).toBe(0);
  });

  it('stops on Ctrl-C', async () => {
    await product.stop();
    await expect(fetch(`${product.url}/-/healthy`)).rejects.toThrow('fetch failed');
  });

  it(
    'shows the demo experiments moving within 60 s of the start, and stops within 20 s of Ctrl-C',
    { tags: ['nightly'] },
    async () => {
      const started = performance.now();
      const demo = await startDemo('data-timed');
      await watchDemoMove(demo);
      const seen = performance.now();
      await demo.stop();
      const stopped = performance.now();
      expect((seen - started) / 1000).toBeLessThan(60);
      expect((stopped - seen) / 1000).toBeLessThan(20);
    },
  );
});
