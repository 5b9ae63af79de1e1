/** Tokens: created for little, shown once, used by a program, seen to be used, and revoked. */
import { createClient } from '@milepost/api';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withSharedProduct } from './with-product.ts';

const here = withSharedProduct();
let admin: Person;

beforeAll(async () => {
  admin = await signedIn(here, { permissions: ['clipboard-read', 'clipboard-write'] });
});

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: name });
const programWith = (token: string) =>
  createClient({ baseUrl: `${here.product.url}/api/v2`, authorization: `Bearer ${token}` });

/** Fills in the dialog, and answers with what is shown once. */
async function create(page: Page, name: string, ...permissions: string[]): Promise<string> {
  await page.getByRole('button', { name: 'Create a token…' }).click();
  await dialog(page).getByLabel('What it is for').fill(name);
  for (const words of permissions) await dialog(page).getByLabel(words).check();
  await dialog(page).getByLabel('It ends after').selectOption('30 days');
  await dialog(page).getByRole('textbox', { name: 'Your current password' }).fill(here.product.account.password);
  await dialog(page).getByRole('button', { name: 'Create the token' }).click();
  await expectVisible(dialog(page).getByText('it is shown this once and never again'));
  return dialog(page).getByRole('textbox', { name: 'The token' }).inputValue();
}

it('is shown once, does what it was created for and no more, and says when it was used', async () => {
  const { page } = admin;
  await page.goto('/account');
  await expectVisible(page.getByText('There is no token.'));
  const token = await create(page, 'Nightly import', 'Add cohorts, subjects, experiments and scans');
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Copy' }).click();
  await expectVisible(dialog(page).getByText('Copied.'));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expectVisible(row(page, 'Nightly import').getByText(/Ends in (?:30 d|29 d 23 h)/));
  expect(await page.content()).not.toContain(token);
  await expectVisible(row(page, 'Nightly import').getByText('Never used'));
  const program = programWith(token);
  expect((await program.createCohort({ body: { label: 'By token' } })).label).toBe('By token');
  await expect(program.listUsers()).rejects.toThrow(/permission/);
  await page.reload();
  await expectVisible(row(page, 'Nightly import').getByText(/^Used/));
});

it('opens nothing once it was revoked, after a question', async () => {
  const { page, complaints } = admin;
  await page.goto('/account');
  const token = await create(page, 'Short-lived');
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await programWith(token).listCohorts();
  await page.getByRole('button', { name: 'Revoke the token Short-lived' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await programWith(token).listCohorts();
  await page.getByRole('button', { name: 'Revoke the token Short-lived' }).click();
  await dialog(page).getByRole('button', { name: 'Revoke it' }).click();
  await expectVisible(row(page, 'Short-lived').getByText('Revoked'));
  await expect(programWith(token).listCohorts()).rejects.toThrow(/token/);
  expect(complaints).toEqual([]);
});

it('lets a program in that has no password, with the roles that it was given', async () => {
  const { page } = admin;
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add a user…' }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Archive');
  await dialog(page).getByLabel('Username').fill('archive');
  await dialog(page).getByLabel('E-mail').fill('archive@example.org');
  await dialog(page).getByLabel('It is a program').check();
  await dialog(page).getByRole('button', { name: 'Add the user' }).click();
  await page.getByRole('heading', { name: 'Archive' }).waitFor();
  await page.getByRole('button', { name: 'Give a role…' }).click();
  await dialog(page).getByLabel('Role').selectOption('superuser');
  await dialog(page).getByRole('button', { name: 'Give the role' }).click();
  await expectVisible(page.getByRole('table', { name: 'Roles' }).getByText('superuser'));
  const token = await create(page, 'Arrivals', 'Add cohorts, subjects, experiments and scans');
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const { user } = await programWith(token).getSession();
  expect(user.username).toBe('archive');
  await programWith(token).createCohort({ body: { label: 'Arrived' } });
});
