/** Fields for passwords, as people and their password managers meet them. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signedIn, visitor } from './chromium.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('pasting');
const pasted = 'a sentence from a manager';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function paste(page: Page, into: Locator): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  await into.click();
  await page.keyboard.press('Control+V');
}

async function expectFit(page: Page, name: string, purpose: string): Promise<void> {
  const input = field(page, name);
  expect([await input.getAttribute('type'), await input.getAttribute('autocomplete')]).toEqual(['password', purpose]);
  await paste(page, input);
  expect([await input.inputValue(), await input.getAttribute('type')]).toEqual([pasted, 'password']);
}

const permissions = ['clipboard-read', 'clipboard-write'];

it('the sign-in hides what is typed, takes what is pasted, and is known to managers (V6.2.6, V6.2.7)', async () => {
  const { page } = await visitor(here, { permissions });
  await page.goto('/');
  await expectFit(page, 'Password', 'current-password');
});

it('so does the page where one changes it (V6.2.6, V6.2.7)', async () => {
  const { page } = await signedIn(here, { permissions });
  await page.goto('/account');
  await expectFit(page, 'Current password', 'current-password');
  await expectFit(page, 'New password', 'new-password');
  await expectFit(page, 'New password again', 'new-password');
});

it('so does the question for it before a token is created (V6.2.6, V6.2.7)', async () => {
  const { page } = await signedIn(here, { permissions });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Create a token…' }).click();
  await expectFit(page, 'Your current password', 'current-password');
});
