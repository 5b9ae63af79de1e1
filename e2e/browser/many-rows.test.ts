/** Lists with several pages: scrolling, failed pages, rows added before the loaded rows, filters in the URL, and CSV. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('many');
const rowCount = 150;

let person: Person;
afterEach(() => person.page.unrouteAll({ behavior: 'ignoreErrors' }));
beforeAll(async () => {
  for (let number = 1; number <= rowCount; number++) await env.study.experiment(`E-${String(number).padStart(3, '0')}`);
  person = await signedIn(env);
});

const footer = (page: Page) => page.getByRole('status').filter({ hasText: /\d experiments/ });

async function scrollToEnd(page: Page): Promise<void> {
  await page.getByRole('main').hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 10_000);
      return footer(page).first().textContent();
    })
    .toBe(`${rowCount} experiments`);
}

describe('the list of experiments', () => {
  it('loads more rows when the user scrolls to the end, until all experiments are listed', async () => {
    const { page } = person;
    await page.goto('/experiments');
    await scrollToEnd(page);
    // The last rows are below the scroll position.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 10_000);
        return page.getByRole('row', { name: /E-150/ }).isVisible();
      })
      .toBe(true);
  });

  it('shows an error if more rows fail to load, and loads them on retry', async () => {
    const { page } = person;
    await page.route('**/api/v2/experiments/search?*after=*', (route) => route.abort());
    await page.goto('/experiments');
    // Any row: the browser may restore the scroll position of the previous visit, and only rows in view are in the document.
    await page
      .getByRole('row', { name: /E-\d{3}/ })
      .first()
      .waitFor();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 10_000);
        return page.getByRole('main').getByRole('alert').count();
      })
      .toBe(1);
    expect(await footer(page).count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await scrollToEnd(page);
  });

  it('keeps all rows when new rows are added before the loaded rows', async () => {
    const { page } = person;
    const ids = (await env.product.client.listExperiments({ query: { limit: 1000 } })).experiments.map(({ id }) => id);
    for (const id of ids.slice(10, 130)) await env.study.move(id, 'segmenting');
    await page.goto(`/experiments?q=${encodeURIComponent(`workflow:${env.study.workflow.label} state:segmenting`)}`);
    await page.getByRole('main').hover();
    const footerText = async () => {
      await page.mouse.wheel(0, 10_000);
      return footer(page).first().textContent();
    };
    await expect.poll(footerText).toBe('120 experiments');
    for (const id of ids.slice(0, 10)) await env.study.move(id, 'segmenting');
    await expect.poll(footerText).toBe('130 experiments');
  });

  it('applies a query from the URL, and exports exactly the matching rows', async () => {
    const { page, pageErrors } = person;
    await page.goto('/experiments?q=label:E-01*');
    await expect.poll(() => footer(page).first().textContent()).toBe('10 experiments');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(11);
    expect(lines.slice(1).every((line) => line.includes('E-01'))).toBe(true);
    expect(pageErrors).toEqual([]);
  });
});
