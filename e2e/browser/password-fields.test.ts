/** Password fields hide their text, allow pasting and support password managers. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signedIn, visitor } from './chromium.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('pasting');
const pasted = 'a sentence from a password manager';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function paste(page: Page, into: Locator): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  await into.click();
  await page.keyboard.press('Control+V');
}

async function expectPasswordField(page: Page, name: string, purpose: string): Promise<void> {
  const input = field(page, name);
  expect([await input.getAttribute('type'), await input.getAttribute('autocomplete')]).toEqual(['password', purpose]);
  await paste(page, input);
  expect([await input.inputValue(), await input.getAttribute('type')]).toEqual([pasted, 'password']);
}

const permissions = ['clipboard-read', 'clipboard-write'];

describe('a password field', () => {
  it('hides its text, allows pasting and supports password managers on the sign-in page (V6.2.6, V6.2.7)', async () => {
    const { page } = await visitor(env, { permissions });
    await page.goto('/');
    await expectPasswordField(page, 'Password', 'current-password');
  });

  it('hides its text, allows pasting and supports password managers in the password change form (V6.2.6, V6.2.7)', async () => {
    const { page } = await signedIn(env, { permissions });
    await page.goto('/account');
    await expectPasswordField(page, 'Current password', 'current-password');
    await expectPasswordField(page, 'New password', 'new-password');
    await expectPasswordField(page, 'Confirm new password', 'new-password');
  });

  it('hides its text, allows pasting and supports password managers in the API token dialog (V6.2.6, V6.2.7)', async () => {
    const { page } = await signedIn(env, { permissions });
    await page.goto('/account');
    await page.getByRole('button', { name: 'New token' }).click();
    await expectPasswordField(page, 'Your current password', 'current-password');
  });
});
