/** Every screen, light and dark, wide and narrow: no serious or critical finding of axe, and nothing wider than the window. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, visitor, type Person } from './chromium.ts';
import { makeScreens, type Screen } from './screens.ts';
import { withProduct } from './with-product.ts';

declare const axe: { run: (options: RunOptions) => Promise<AxeResults> };

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const schemes = ['light', 'dark'] as const;
const widths = [1440, 390];

const here = withProduct('data-accessible');
let screens: Screen[];
let person: Person;

// Colours that are on their way to others would be judged.
const still = { reducedMotion: 'reduce' } as const;

beforeAll(async () => {
  screens = await makeScreens(here.product, 'reachable');
  person = await signedIn(here, still);
});

/** What is wrong with what the page shows now, in both colour schemes. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    for (const { id, nodes } of serious)
      found.push(...nodes.map(({ html }) => `${colorScheme}, ${id}: ${html.slice(0, 200)}`));
  }
  return found;
}

const isWiderThanWindow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

it('no screen has a serious finding, nor is it wider than the window, at 1440 and at 390 pixels', async () => {
  const { page, complaints } = person;
  const found: string[] = [];
  for (const { name, path, shows } of screens) {
    await page.goto(path);
    await page.getByText(shows).first().waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (await isWiderThanWindow(page)) found.push(`${name}: wider than ${width} pixels`);
      found.push(...(await seriousFindings(page)).map((finding) => `${name} at ${width} pixels: ${finding}`));
    }
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

it('neither has a page for those who are not signed in', async () => {
  const { page } = await visitor(here, still);
  for (const [path, button] of [
    ['/', 'Sign in'],
    ['/forgot-password', 'Send me a link'],
    ['/reset-password#link', 'Change password'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button }).waitFor();
    expect({ path, findings: await seriousFindings(page) }).toEqual({ path, findings: [] });
  }
});

it('neither has what opens above a page: the palette, and the dialog of a move', async () => {
  const { page } = person;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await page.getByRole('heading', { name: /needs? someone/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  const subject = await here.product.client.createSubject({ body: { label: 'S-2', cohort_label: 'Cohort reachable' } });
  const { id } = await here.product.client.createExperiment({ body: { label: 'movable', subject_id: subject.id } });
  await page.goto(`/experiments/${id}`);
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

it('neither has a dialog with fields, on a narrow screen', async () => {
  const { page } = person;
  await page.setViewportSize({ width: 390, height: 900 });
  for (const [path, button] of [
    ['/account', 'Create a token…'],
    ['/account', 'Change…'],
    ['/users', 'Add a user…'],
    ['/users/1', 'Give a role…'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    expect({ button, findings: await seriousFindings(page) }).toEqual({ button, findings: [] });
  }
});
