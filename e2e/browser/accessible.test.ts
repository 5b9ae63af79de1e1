/** Every screen, light and dark: no serious or critical finding of axe, and everything on it is reached by keyboard. */
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

/** What can be used on the page, and what of it the Tab key comes to. */
async function unreached(page: Page): Promise<string[]> {
  const usable = page.locator(
    'a[href], button:not([disabled]), input:not([type=hidden]), select, textarea, [tabindex="0"]',
  );
  const all = await usable.filter({ visible: true }).evaluateAll((elements) =>
    elements
      .filter((element) => (element as HTMLElement).tabIndex >= 0)
      .map((element, index) => {
        element.setAttribute('data-stop', String(index));
        return element.outerHTML.slice(0, 160);
      }),
  );
  const reached = new Set<string | undefined>();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let stop = 0; stop < all.length + 5; stop++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.getAttribute('data-stop') ?? undefined));
  }
  return all.filter((_, index) => !reached.has(String(index)));
}

it('the Tab key comes to everything that can be used, on every screen', async () => {
  const { page } = await signedIn(here);
  const left: string[] = [];
  for (const screen of screens) {
    await open(page, screen);
    left.push(...(await unreached(page)).map((element) => `${screen.name}: ${element}`));
  }
  expect(left).toEqual([]);
});
