/** No screen has a serious or critical axe violation or is wider than the window, light or dark, wide or narrow. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn, visitor, type Person } from './chromium.ts';
import { overlookedRoutes, routesWithout } from './route-paths.ts';
import { makeDecisionScreens, makeRedirects, makeScreens, type RedirectAddress, type Screen } from './screens.ts';
import { withProduct } from './with-product.ts';

const widths = [1440, 390];

const env = withProduct('data-accessible');
let screens: Screen[];
let redirects: RedirectAddress[];
let person: Person;

beforeAll(async () => {
  screens = [
    ...(await makeDecisionScreens(env.product, 'decidable')),
    ...(await makeScreens(env.product, 'reachable')),
  ];
  redirects = await makeRedirects(env.product, Number(pathOf('Experiment').split('/').at(-1)));
  person = await signedIn(env, withoutMotion);
});

const pathOf = (name: string) => screens.findLast((screen) => screen.name === name)?.path ?? '';

const isWiderThanWindow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

it('every route of the pages has an example address, so that no page is left out below', () => {
  expect(overlookedRoutes).toBe(0);
  expect(routesWithout([...screens, ...redirects].map(({ path }) => path))).toEqual([]);
});

it('addresses of objects without a page of their own lead to the page that shows them', async () => {
  const { page } = person;
  for (const { path, to } of redirects) {
    await page.goto(path);
    await expect.poll(() => page.url()).toMatch(to);
  }
});

it('no screen has a serious axe violation or overflows horizontally at 1440 or 390 pixels', async () => {
  const { page, pageErrors } = person;
  const found: string[] = [];
  for (const { name, path, shows } of screens) {
    await page.goto(path);
    await page.getByText(shows).first().waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      if (await isWiderThanWindow(page)) found.push(`${name}: wider than ${width} pixels`);
      found.push(...(await seriousViolations(page)).map((violation) => `${name} at ${width} pixels: ${violation}`));
    }
  }
  expect(found).toEqual([]);
  expect(pageErrors).toEqual([]);
});

it('the API reference has the typeface of the pages, no serious axe violation, and fits at 1440 and 390 pixels', async () => {
  const { page, pageErrors } = person;
  await page.goto('/api/v2/docs');
  await page.getByRole('heading', { name: 'Milepost API reference' }).waitFor();
  expect(await page.evaluate(async () => [...(await document.fonts.ready)].map(({ status }) => status))).toEqual([
    'loaded',
  ]);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect(await isWiderThanWindow(page)).toBe(false);
  }
  // The page is so long that each check takes a while. Its colours and texts are the same at any width.
  expect(await seriousViolations(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
});

it('no page for signed-out users has a serious axe violation', async () => {
  const { page } = await visitor(env, withoutMotion);
  for (const [path, button] of [
    ['/', 'Sign in'],
    ['/forgot-password', 'Send reset link'],
    ['/reset-password#link', 'Set new password'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button }).waitFor();
    expect({ path, violations: await seriousViolations(page) }).toEqual({ path, violations: [] });
  }
});

it('the command palette and the move dialog have no serious axe violations', async () => {
  const { page } = person;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await page.getByRole('heading', { name: /needs? attention/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  const subject = await env.product.client.createSubject({ body: { label: 'S-2', cohort_label: 'Cohort reachable' } });
  const { id } = await env.product.client.createExperiment({ body: { label: 'movable', subject_id: subject.id } });
  await page.goto(`/experiments/${id}`);
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await seriousViolations(page)).toEqual([]);
});

it('dialogs with fields have no serious axe violations on a narrow screen', async () => {
  const { page } = person;
  await page.setViewportSize({ width: 390, height: 900 });
  for (const [path, button] of [
    ['/cohorts', 'New cohort'],
    [pathOf('Cohort'), 'Edit'],
    [pathOf('Cohort'), 'New subject'],
    [pathOf('About a cohort'), 'Add external URL'],
    [pathOf('Subject'), 'Edit'],
    [pathOf('Subject'), 'New experiment'],
    [pathOf('Subject'), 'Add external ID'],
    [pathOf('Experiment'), 'Edit'],
    ['/experiments', 'New experiment'],
    ['/external_systems', 'New external system'],
    ['/external_systems', 'Edit XNAT'],
    ['/account', 'New token'],
    ['/account', 'Edit…'],
    ['/users', 'New user'],
    ['/users/1', 'Assign role…'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    expect({ button, violations: await seriousViolations(page) }).toEqual({ button, violations: [] });
  }
});
