/** Adding, finding, deactivating and changing users, and the permissions of roles. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withSharedProduct } from './with-product.ts';

const env = withSharedProduct();
const password = 'a sentence is a fine password';
const changedPassword = 'another sentence for Joke';
let admin: Person;

beforeAll(async () => {
  admin = await signedIn(env);
});

const dialog = (page: Page) => page.getByRole('dialog');

async function add(page: Page, name: string, username: string): Promise<void> {
  await dialog(page).getByLabel('Name', { exact: true }).fill(name);
  await dialog(page).getByLabel('Username').fill(username);
  await dialog(page).getByLabel('E-mail').fill(`${username}@example.org`);
  await dialog(page).getByRole('textbox', { name: 'Initial password' }).fill(password);
  await page.keyboard.press('Enter');
}

/** Signs in with the form in a new browser context. */
async function signedInPage(username: string, currentPassword = password): Promise<Page> {
  const { page } = await visitor(env);
  await page.goto('/');
  await signIn(page, { username, password: currentPassword });
  return page;
}

it('adds a user who can sign in, and rejects a username that another user has', async () => {
  const { page, pageErrors } = admin;
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Add user…' }).click();
  await add(page, 'Admin again', 'admin');
  await expectVisible(
    dialog(page)
      .getByRole('alert')
      .getByText(/Another user has this username/),
  );
  await add(page, 'Joke Jansen', 'j.jansen');
  await expectVisible(page.getByRole('heading', { name: 'Joke Jansen' }));
  await expectVisible(page.getByText('j.jansen@example.org'));
  await expectVisible((await signedInPage('j.jansen')).getByRole('main').getByRole('heading'));
  expect(pageErrors).toEqual([]);
});

it('filters users while the administrator types, and shows an empty state if no user matches', async () => {
  const { page } = admin;
  await page.goto('/users');
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('rowheader');
  await expectVisible(rows.getByText('Joke Jansen'));
  await page.getByRole('searchbox', { name: 'Name or username' }).fill('JANSEN');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Joke Jansen']);
  expect(new URL(page.url()).search).toBe('?find=JANSEN');
  await page.getByRole('searchbox', { name: 'Name or username' }).fill('no such user');
  await expectVisible(page.getByText('No matching users.'));
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectVisible(rows.getByText('Joke Jansen'));
});

it('deactivates a user after confirmation, and activates the user again', async () => {
  const { page } = admin;
  const theirs = await signedInPage('j.jansen');
  await page.goto('/users?find=jansen');
  await page.getByRole('link', { name: 'Joke Jansen' }).click();
  await page.getByRole('button', { name: 'Deactivate…' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByText('Inactive').count()).toBe(0);
  await page.getByRole('button', { name: 'Deactivate…' }).click();
  await dialog(page).getByRole('button', { name: 'Deactivate' }).click();
  await expectVisible(page.getByText('Inactive. The user cannot sign in.'));
  await page.goto('/users');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Inactive' }).click();
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('rowheader');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Joke Jansen']);
  await page.getByRole('link', { name: 'Joke Jansen' }).click();
  await theirs.goto('/cohorts');
  await expectVisible(theirs.getByRole('heading', { name: 'Sign in to Milepost' }));
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect.poll(() => page.getByText('Inactive').count()).toBe(0);
  await signIn(theirs, { username: 'j.jansen', password });
  await expectVisible(theirs.getByRole('heading', { name: 'Cohorts' }));
});

it("changes the name, username, e-mail and password of a user, and ends the user's sessions", async () => {
  const { page, pageErrors } = admin;
  const theirs = await signedInPage('j.jansen');
  await page.goto('/users?find=jansen');
  await page.getByRole('link', { name: 'Joke Jansen' }).click();
  await page.getByRole('button', { name: 'Edit…' }).click();
  const save = dialog(page).getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await dialog(page).getByLabel('Name', { exact: true }).fill('Joke de Wit');
  await dialog(page).getByLabel('Username').fill('j.wit');
  await dialog(page).getByLabel('E-mail').fill('admin@localhost');
  const own = dialog(page).getByRole('textbox', { name: 'Your current password' });
  await own.fill(env.product.account.password);
  await save.click();
  await expectVisible(
    dialog(page)
      .getByRole('alert')
      .getByText(/Another user has this e-mail/),
  );
  await dialog(page).getByLabel('E-mail').fill('wit@example.org');
  await dialog(page).getByRole('textbox', { name: 'New password' }).fill(changedPassword);
  await own.fill('not the current one');
  await save.click();
  await expectVisible(
    dialog(page)
      .getByRole('alert')
      .getByText(/Your current password is wrong\./),
  );
  await own.fill(env.product.account.password);
  await save.click();
  await expectVisible(page.getByRole('heading', { name: 'Joke de Wit' }));
  await expectVisible(page.getByText('wit@example.org'));
  await theirs.goto('/cohorts');
  await expectVisible(theirs.getByRole('heading', { name: 'Sign in to Milepost' }));
  await signIn(theirs, { username: 'wit@example.org', password: changedPassword });
  await expectVisible(theirs.getByRole('heading', { name: 'Cohorts' }));
  expect(pageErrors).toEqual([]);
});

it('does not offer to deactivate your own account', async () => {
  const { page } = admin;
  await page.goto('/users?find=admin');
  await page.getByRole('table', { name: 'Users' }).getByRole('link').click();
  await expectVisible(page.getByText('Profile'));
  expect(await page.getByRole('button', { name: 'Deactivate…' }).count()).toBe(0);
});

it('lists the permissions of a role', async () => {
  const { page } = admin;
  await page.goto('/roles');
  const row = (words: string) => page.getByRole('row').filter({ hasText: words });
  await expectVisible(row('Add users').getByText('Yes'));
  await page.getByRole('link', { name: 'superuser' }).click();
  await expectVisible(page.getByText('Adds and moves study data'));
  await expectVisible(row('Move experiments, retry runs, re-evaluate transitions').getByText('Yes'));
  await expectVisible(row('Add users').getByText('No'));
});

it('hides users, roles and the audit log from a user without the required permissions', async () => {
  const page = await signedInPage('j.wit', changedPassword);
  const names = ['Users', 'Roles', 'Audit log'];
  for (const name of names) expect(await page.getByRole('link', { name }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Your account' }).waitFor();
  for (const name of names) expect(await page.getByRole('option', { name }).count()).toBe(0);
  for (const path of ['/users', '/roles']) {
    await page.goto(path);
    await expectVisible(
      page
        .getByRole('main')
        .getByRole('alert')
        .getByText(/permission/),
    );
  }
});
