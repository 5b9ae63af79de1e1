/** API tokens: created with few permissions, shown once, used by a program and revoked. */
import { createClient } from '@milepost/api';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withSharedProduct } from './with-product.ts';

const env = withSharedProduct();
let admin: Person;

beforeAll(async () => {
  admin = await signedIn(env, { permissions: ['clipboard-read', 'clipboard-write'] });
});

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'API tokens' }).getByRole('row').filter({ hasText: name });
const programWith = (token: string) =>
  createClient({ baseUrl: `${env.product.url}/api/v2`, authorization: `Bearer ${token}` });

/** Creates a token with the dialog and returns it. */
async function create(page: Page, name: string, ...permissions: string[]): Promise<string> {
  await page.getByRole('button', { name: 'New token' }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill(name);
  for (const words of permissions) await dialog(page).getByLabel(words).check();
  await dialog(page).getByLabel('Expires after').selectOption('30 days');
  await dialog(page).getByRole('textbox', { name: 'Your current password' }).fill(env.product.account.password);
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  await expectVisible(dialog(page).getByText('It is shown only once.'));
  return dialog(page).getByRole('textbox', { name: 'API token' }).inputValue();
}

it('shows a new token once, limits it to the selected permissions and shows when it was last used', async () => {
  const { page } = admin;
  await page.goto('/account');
  await expectVisible(page.getByText('No API tokens yet.'));
  const token = await create(page, 'Nightly import', 'Add cohorts, subjects, experiments and scans');
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Copy' }).click();
  await expectVisible(dialog(page).getByText('Copied.'));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expectVisible(row(page, 'Nightly import').getByText(/Expires in (?:30 d|29 d 23 h)/));
  expect(await page.content()).not.toContain(token);
  await expectVisible(row(page, 'Nightly import').getByText('Never used'));
  const program = programWith(token);
  expect((await program.createCohort({ body: { label: 'By token' } })).label).toBe('By token');
  await expect(program.listUsers()).rejects.toThrow(/permission/);
  await page.reload();
  await expectVisible(row(page, 'Nightly import').getByText(/^Used/));
});

it('revokes a token after confirmation', async () => {
  const { page, pageErrors } = admin;
  await page.goto('/account');
  const token = await create(page, 'Short-lived', 'Read study data');
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await programWith(token).listCohorts();
  await page.getByRole('button', { name: 'Revoke token Short-lived' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await programWith(token).listCohorts();
  await page.getByRole('button', { name: 'Revoke token Short-lived' }).click();
  await dialog(page).getByRole('button', { name: 'Revoke token' }).click();
  await expectVisible(row(page, 'Short-lived').getByText('Revoked'));
  await expect(programWith(token).listCohorts()).rejects.toThrow(/token/);
  expect(pageErrors).toEqual([]);
});

it('creates a service account that signs in with a token and has the chosen role', async () => {
  const { page } = admin;
  await page.goto('/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await dialog(page).getByLabel('Name', { exact: true }).fill('Archive');
  await dialog(page).getByLabel('Username').fill('archive');
  await dialog(page).getByLabel('E-mail').fill('archive@example.org');
  await dialog(page).getByLabel('Service account').check();
  await dialog(page).getByLabel('Role').selectOption('superuser');
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Archive' }).waitFor();
  await expectVisible(page.getByRole('table', { name: 'Roles' }).getByText('superuser'));
  const token = await create(page, 'Arrivals', 'Add cohorts, subjects, experiments and scans');
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const { user, permissions } = await programWith(token).getSession();
  expect(permissions).toEqual(['sample_add']);
  expect(user.username).toBe('archive');
  await programWith(token).createCohort({ body: { label: 'Arrived' } });
});

it('says that an owner without a role has no permissions', async () => {
  const { page } = admin;
  const body = { username: 'unused', email: 'unused@example.org', name: 'Unused', all_cohorts: false };
  const { id } = await env.product.client.createUser({ body });
  await page.goto(`/users/${id}`);
  await page.getByRole('button', { name: 'New token' }).click();
  await expectVisible(dialog(page).getByText('Unused has no permissions yet. Assign a role first.'));
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
});

it('offers only the permissions of the owner, or all of them, and says what is missing', async () => {
  const { page, pageErrors } = admin;
  const body = { username: 'archive2', email: 'archive2@example.org', name: 'Archive 2', all_cohorts: false };
  const { id } = await env.product.client.createUser({ body });
  await env.product.client.assignUserRole({ params: { username: body.username, role_name: 'superuser' } });
  await page.goto(`/users/${id}`);
  await page.getByRole('button', { name: 'New token' }).click();
  await expect.poll(() => dialog(page).getByRole('checkbox').count()).toBe(4);
  const button = dialog(page).getByRole('button', { name: 'Create', exact: true });
  const missing = async (text: string) => {
    await expectVisible(dialog(page).getByText(text));
    expect(await button.isDisabled()).toBe(true);
  };
  await missing('Enter a name.');
  await dialog(page).getByLabel('Name', { exact: true }).fill('Everything');
  await missing('Choose at least one permission.');
  await dialog(page).getByLabel('Same as the owner (4 permissions)').check();
  await missing('Enter your current password.');
  await dialog(page).getByRole('textbox', { name: 'Your current password' }).fill(env.product.account.password);
  await button.click();
  const token = await dialog(page).getByRole('textbox', { name: 'API token' }).inputValue();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  const { permissions } = await programWith(token).getSession();
  expect(permissions.toSorted()).toEqual(['sample_add', 'sample_state_update', 'sample_update', 'user_read']);
  expect(pageErrors).toEqual([]);
});
