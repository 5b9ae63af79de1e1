/** Adding, finding, deactivating and changing users, and the permissions of roles. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
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
const users = (page: Page) => page.getByRole('table', { name: 'Users' });
const namesOf = (page: Page) => users(page).getByRole('rowheader').getByRole('link');

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
  await page.getByRole('button', { name: 'New user' }).click();
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

/** Opening the list of a native select and choosing from it are clicks of the browser, which the page does not see. */
const clicksInList = 2;

it('adds a user with a role in one cohort in at most five clicks, and shows the role and the sign-in in the list', async () => {
  await env.product.client.createCohort({ body: { label: 'Five clicks' } });
  const { page, pageErrors } = await signedIn(env);
  await page.goto('/users');
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'New user' }).click();
  await dialog(page).getByLabel('Role').waitFor();
  const { keyboard } = page;
  for (const text of ['Rosa Rater', 'r.rater', 'rater@example.org']) {
    await keyboard.type(text);
    await keyboard.press('Tab');
  }
  await keyboard.press('Tab');
  await keyboard.type(password);
  const role = dialog(page).getByLabel('Role');
  expect(await role.inputValue()).toBe('user');
  await expectVisible(dialog(page).getByText(/Can read study data\./));
  await role.selectOption('superuser');
  await expectVisible(dialog(page).getByText(/^Adds and moves study data\. Can read study data; .*move experiments/));
  await dialog(page).getByRole('checkbox', { name: 'Five clicks' }).check();
  expect(await dialog(page).getByLabel('Only these cohorts').isChecked()).toBe(true);
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  await expectVisible(page.getByRole('heading', { name: 'Rosa Rater' }));
  expect(clicks() + clicksInList).toBeLessThanOrEqual(5);
  const assigned = page.getByRole('table', { name: 'Roles' }).getByRole('row').filter({ hasText: 'superuser' });
  await expectVisible(assigned.getByRole('link', { name: 'Five clicks' }));
  await page.goto('/users?find=rater');
  const row = users(page).getByRole('row').filter({ hasText: 'Rosa Rater' });
  await expectVisible(row.getByText('r.rater · rater@example.org'));
  await expectVisible(row.getByText('superuser in Five clicks'));
  await expectVisible(row.getByText('Never').filter({ visible: true }));
  const theirs = await signedInPage('r.rater');
  await theirs.goto('/cohorts');
  await expectVisible(theirs.getByRole('link', { name: 'Five clicks' }));
  expect(await theirs.getByRole('table', { name: 'Cohorts' }).getByRole('rowheader').count()).toBe(1);
  await expect.poll(() => row.getByText('Never').count()).toBe(0);
  await expectVisible(row.getByRole('time'));
  expect(pageErrors).toEqual([]);
});

it('filters users while the administrator types, and shows an empty state if no user matches', async () => {
  const { page } = admin;
  await page.goto('/users');
  const rows = namesOf(page);
  await expectVisible(rows.getByText('Joke Jansen'));
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('JANSEN');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Joke Jansen']);
  expect(new URL(page.url()).search).toBe('?find=JANSEN');
  await page.getByRole('searchbox', { name: 'Name or e-mail' }).fill('no such user');
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
  const rows = namesOf(page);
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Joke Jansen']);
  await expectVisible(users(page).getByText('Inactive'));
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
  await save.press('Enter');
  await expectVisible(dialog(page).getByText('Nothing has changed yet.').and(page.locator(':focus')));
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
  await namesOf(page).getByText('Administrator', { exact: true }).click();
  await expectVisible(page.getByText('Profile'));
  expect(await page.getByRole('button', { name: 'Deactivate…' }).count()).toBe(0);
});

it('says what each role is for and how many users have it, and compares the permissions of roles', async () => {
  const { page, pageErrors } = admin;
  await page.goto('/roles');
  const role = page.getByRole('table', { name: 'Roles', exact: true }).getByRole('row', { name: /^superuser/ });
  await expectVisible(role.getByText('Adds and moves study data'));
  await expectVisible(role.getByText(/^\d+ users?$/));
  const permissions = page.getByRole('table', { name: 'Permissions of roles' });
  // The roles are in the order of their ids.
  const cells = (words: string) =>
    permissions.getByRole('row').filter({ hasText: words }).getByRole('cell').allInnerTexts();
  await expectVisible(permissions.getByRole('columnheader', { name: 'superuser' }));
  expect((await cells('Add users')).slice(0, 3)).toEqual(['Yes', 'No', 'No']);
  expect((await cells('Move experiments, retry runs')).slice(0, 3)).toEqual(['Yes', 'Yes', 'No']);
  expect((await cells('Read study data')).slice(0, 3)).toEqual(['Yes', 'Yes', 'Yes']);
  expect(pageErrors).toEqual([]);
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
