/**
 * Journey 1, and the package in an empty folder: `npx milepost dev --demo` and what a browser shows of it within a minute,
 * `npx milepost doctor`, and Ctrl-C.
 */
import { spawnSync } from 'node:child_process';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { launchChromium, signedIn } from './browser/chromium.ts';
import { npx, startProduct, type Product } from './product.ts';

const withinAMinute = { interval: 250, timeout: 60_000 };

let browser: Browser;
let product: Product;
let started: number;

beforeAll(async () => {
  browser = await launchChromium();
  started = performance.now();
  product = await startProduct({ data: 'milepost-data', demo: true });
});
afterAll(() => browser?.close());

it('within a minute of the command, the browser shows the demo moving', async () => {
  const { page, complaints } = await signedIn({ browser, product });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('link', { name: 'brain_mri' }).click();
  const counts = () =>
    page
      .getByRole('button', { name: /\d experiments?/ })
      .evaluateAll((states) => states.map((state) => state.textContent).join('\n'));
  await expect.poll(counts, withinAMinute).toMatch(/[1-9]\d* experiment/);
  const first = await counts();
  await expect.poll(counts, withinAMinute).not.toBe(first);
  const seconds = (performance.now() - started) / 1000;
  console.log(`the demo was seen moving ${seconds.toFixed(1)} s after the command`);
  expect(seconds).toBeLessThan(60);
  expect(complaints).toEqual([]);
});

it('milepost doctor finds it fit', () => {
  const settings = { DATABASE_URL: product.databaseUrl, MILEPOST_PUBLIC_URL: product.url };
  const [program, ...flags] = npx;
  const { PATH, HOME } = process.env;
  const { stdout, stderr, status } = spawnSync(program, [...flags, 'doctor'], {
    cwd: inject('installed'),
    env: { PATH, HOME, ...settings },
    encoding: 'utf8',
  });
  const words = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ', 1)[0]);
  expect(words).toEqual(Array.from({ length: 10 }, () => 'ok'));
  expect(stderr).toContain('Everything is as it should be.');
  expect(status).toBe(0);
});

it('Ctrl-C ends all of it within seconds', async () => {
  const pressed = performance.now();
  await product.stop();
  expect(performance.now() - pressed).toBeLessThan(20_000);
  await expect(fetch(`${product.url}/-/healthy`)).rejects.toThrow('fetch failed');
});
