/** More rows than a page has: what lies behind the first, what comes in between, filters in the address, and CSV. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('many');
const many = 150;

let person: Person;
afterEach(() => person.page.unrouteAll({ behavior: 'ignoreErrors' }));
beforeAll(async () => {
  for (let number = 1; number <= many; number++) await here.study.experiment(`E-${String(number).padStart(3, '0')}`);
  person = await signedIn(here);
});

const end = (page: Page) => page.getByRole('status').filter({ hasText: /rows/ });

async function scrollToEnd(page: Page): Promise<void> {
  await page.getByRole('main').hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 10_000);
      return end(page).first().textContent();
    })
    .toBe(`${many} rows, all of them`);
}

it('the next page comes when one gets to the end, and every experiment stands there', async () => {
  const { page } = person;
  await page.goto('/experiments');
  await scrollToEnd(page);
  // The rows that came last lie behind where one was.
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 10_000);
      return page.getByRole('row', { name: /E-150/ }).isVisible();
    })
    .toBe(true);
});

it('a page that does not come says so, and comes when it is asked for again', async () => {
  const { page } = person;
  await page.route('**/api/v2/experiment_rows?*after=*', (route) => route.abort());
  await page.goto('/experiments');
  await page.getByRole('row', { name: /E-001/ }).waitFor();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 10_000);
      return page.getByRole('main').getByRole('alert').count();
    })
    .toBe(1);
  expect(await end(page).count()).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await scrollToEnd(page);
});

it('of rows that come in front of those that were loaded, none is lost', async () => {
  const { page } = person;
  const state = (await here.product.client.getWorkflowGraph({ params: { id: here.study.workflow.id } })).states.find(
    ({ label }) => label === 'segmenting',
  );
  const ids = (await here.product.client.listExperiments({ query: { limit: 1000 } })).experiments.map(({ id }) => id);
  for (const id of ids.slice(10, 130)) await here.study.move(id, 'segmenting');
  await page.goto(`/experiments?workflow=${here.study.workflow.id}&state=${state?.id}`);
  await page.getByRole('main').hover();
  const told = async () => {
    await page.mouse.wheel(0, 10_000);
    return end(page).first().textContent();
  };
  await expect.poll(told).toBe('120 rows, all of them');
  for (const id of ids.slice(0, 10)) await here.study.move(id, 'segmenting');
  await expect.poll(told).toBe('130 rows, all of them');
});

it('the address keeps the filter, and the CSV has exactly what matches', async () => {
  const { page, complaints } = person;
  await page.goto('/experiments?label=E-01');
  await expect.poll(() => end(page).first().textContent()).toBe('10 rows, all of them');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(11);
  expect(lines.slice(1).every((line) => line.includes('E-01'))).toBe(true);
  expect(complaints).toEqual([]);
});
