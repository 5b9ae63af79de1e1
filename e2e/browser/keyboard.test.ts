/** Without a mouse: sign in, retry, see the study, find one experiment and move it. Every step is a key. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('typing');

let person: Person;
beforeAll(async () => {
  await here.study.experiment('failing', 'segmenting');
  await (await here.study.take()).end('failed');
  await here.study.experiment('waiting');
  person = await visitor(here);
  await person.page.goto('/');
});

const isFocused = (what: Locator) => what.evaluate((element) => element === document.activeElement).catch(() => false);

/** Goes on with Tab until it is there, and sees that one can see where one is. */
async function tabTo(page: Page, what: Locator): Promise<void> {
  await what.waitFor();
  for (let presses = 0; presses < 80 && !(await isFocused(what)); presses++) await page.keyboard.press('Tab');
  expect(await isFocused(what)).toBe(true);
  const outline = await what.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { outlined: outlineStyle !== 'none' && outlineWidth !== '0px', boxShadow };
  });
  expect(outline.outlined || outline.boxShadow !== 'none').toBe(true);
}

it('signs in', async () => {
  const { page } = person;
  const { username, password } = here.product.account;
  await expect.poll(() => isFocused(page.getByLabel('Username or e-mail'))).toBe(true);
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expectVisible(page.getByRole('heading', { name: '1 experiment needs someone' }));
});

it('retries what failed', async () => {
  const { page } = person;
  await tabTo(page, page.getByRole('button', { name: 'Retry failing' }));
  await page.keyboard.press('Enter');
  await (await here.study.take()).end('success');
  await expectVisible(page.getByRole('heading', { name: 'No experiment needs someone' }));
});

it('filters by a state of the graph', async () => {
  const { page } = person;
  await page.goto(`/workflows/${here.study.workflow.id}`);
  await tabTo(page, page.getByRole('button', { name: /^arrived 1 experiment/ }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/state=/);
  await expectVisible(page.getByRole('row', { name: /waiting/ }));
  await expect.poll(() => page.getByRole('row', { name: /failing/ }).count()).toBe(0);
});

it('finds an experiment and moves it with a reason', async () => {
  const { page, complaints } = person;
  await page.keyboard.press('Control+k');
  await expect.poll(() => isFocused(page.getByRole('combobox', { name: /^Find/ }))).toBe(true);
  await page.keyboard.type('wait');
  await page.getByRole('option', { name: /waiting/ }).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Move to segmenting' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(page.getByLabel('Reason'))).toBe(true);
  await page.keyboard.type('By the keyboard.');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }));
  await page.keyboard.press('Enter');
  await expectVisible(page.getByRole('region', { name: 'How it came here' }).getByText('“By the keyboard.”'));
  expect(complaints).toEqual([]);
});
