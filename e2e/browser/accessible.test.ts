/** Every screen, light and dark: no serious or critical finding of axe, and nothing wider than the window. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn, visitor, type Person } from './chromium.ts';
import { makeScreens, type Screen } from './screens.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-accessible');
let screens: Screen[];

beforeAll(async () => {
  screens = await makeScreens(here.product, 'reachable');
});

async function open(page: Page, { path, shows }: Screen): Promise<void> {
  await page.goto(path);
  await page.getByText(shows).first().waitFor();
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  it('the sign-in page has no serious finding', async () => {
    const { page } = await visitor(here, { colorScheme });
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('neither have the pages of a forgotten password', async () => {
    const { page } = await visitor(here, { colorScheme });
    for (const [path, button] of [
      ['/forgot-password', 'Send me a link'],
      ['/reset-password#link', 'Change password'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name: button }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    }
  });

  it.each([1440, 390])('no screen has a serious finding, nor is it wider than %i pixels', async (width) => {
    const person = await signedIn(here, { colorScheme, viewport: { width, height: 900 } });
    expect(await findingsOnAll(person)).toEqual([]);
    expect(person.complaints).toEqual([]);
  });
});

it('neither has what opens above a page: the palette, and the dialog of a move', async () => {
  const { page } = await signedIn(here);
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

it.each([
  { path: '/account', button: 'Create a token…' },
  { path: '/account', button: 'Change…' },
  { path: '/users', button: 'Add a user…' },
  { path: '/users/1', button: 'Give a role…' },
])('neither has the dialog “$button”', async ({ path, button }) => {
  const { page } = await signedIn(here, { colorScheme: 'dark', viewport: { width: 390, height: 900 } });
  await page.goto(path);
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

async function findingsOnAll({ page }: Person): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    await open(page, screen);
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    if (isTooWide) found.push(`${screen.name}: wider than the window`);
    found.push(...(await seriousFindings(page)).map((finding) => `${screen.name}: ${finding}`));
  }
  return found;
}
