/** Pausing and resuming an import. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { card, choose, prepareImports } from './import-pages.ts';
import { withProduct } from './with-product.ts';

// Slow enough that the import still runs when the test pauses it.
const env = withProduct('data-import-paused', async () => ({ MILEPOST_BULK_PER_SECOND: '1' }));
const number = 12;
const lines = Array.from({ length: number }, (_, index) => `P-${index}`);
let cohortId: number;

beforeAll(async () => {
  cohortId = await prepareImports(env.product);
});

const subjects = async () => (await env.product.client.listSubjects({ query: { limit: 100 } })).subjects.length;

it('stops between two sets, stays paused after a reload, then resumes and finishes', async () => {
  const { page, pageErrors } = await signedIn(env);
  await page.goto(`/imports/new?cohort=${cohortId}`);
  await choose(page, { name: 'slow.csv', text: ['subject', ...lines].join('\n') });
  await page.getByRole('button', { name: `Import all ${number} lines` }).click();
  await expectVisible(card(page).getByText(/^[\d.]+ a second, about .* left$/));
  await page.getByRole('button', { name: 'Pause' }).click();
  await expectVisible(card(page).getByText(/^Paused after \d+ of 12 lines$/));
  const imported = await subjects();
  expect(imported).toBeGreaterThan(0);
  expect(imported).toBeLessThan(number);
  await page.reload();
  await expectVisible(card(page).getByText(`Paused after ${imported} of 12 lines`));
  expect(await subjects()).toBe(imported);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expectVisible(card(page).getByText('12 lines imported'));
  expect(await subjects()).toBe(number);
  expect(pageErrors).toEqual([]);
});
