/** People are added, found, kept out and let in again, by who may; and roles say in words what they allow. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withSharedProduct } from './with-product.ts';

const here = withSharedProduct();
const password = 'a sentence is a fine password';
const changedPassword = 'another sentence for Joke';
let admin: Person;

beforeAll(async () => {
  admin = await signedIn(here);
});

const dialog = (page: Page) => page.getByRole('dialog');

async function add(page: Page, name: string, username: string): Promise<void> {
  await dialog(page).getByLabel('Name', { exact: true }).fill(name);
  await dialog(page).getByLabel('Username').fill(username);
  await dialog(page).getByLabel('E-mail').fill(`${username}@example.org`);
  await dialog(page).getByRole('textbox', { name: 'First password' }).fill(password);
  await page.keyboard.press('Enter');
}

/** Signed in by the form, in a browser of their own. */
async function person(username: string, known = password): Promise<Page> {
  const { page } = await visitor(here);
  await page.goto('/');
  await signIn(page, { username, password: known });
  return page;
}

it('adds a user, who then can sign in; a username that is taken is refused in words', async () => {
  const { page, complaints } = admin;
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Add a user…' }).click();
  await add(page, 'Admin again', 'admin');
  await expectVisible(
    dialog(page)
      .getByRole('alert')
      .getByText(/Another user has this username/),
  );
  await add(page, 'Joke Jansen', 'j.jansen');
  await expectVisible(page.getByRole('heading', { name: 'Joke Jansen' }));
  await expectVisible(page.getByText('j.jansen@example.org'));
  await expectVisible((await person('j.jansen')).getByRole('main').getByRole('heading'));
  expect(complaints).toEqual([]);
});

it('finds users while one types, and says when nobody matches', async () => {
  const { page } = admin;
  await page.goto('/users');
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('rowheader');
  await expectVisible(rows.getByText('Joke Jansen'));
  await page.getByRole('searchbox', { name: 'Name or username' }).fill('JANSEN');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Joke Jansen']);
  expect(new URL(page.url()).search).toBe('?find=JANSEN');
  await page.getByRole('searchbox', { name: 'Name or username' }).fill('nobody at all');
  await expectVisible(page.getByText('No user matches.'));
  await page.getByRole('button', { name: 'Show all users' }).click();
  await expectVisible(rows.getByText('Joke Jansen'));
});

it('keeps somebody out after a question, and lets them in again', async () => {
  const { page } = admin;
  const theirs = await person('j.jansen');
  await page.goto('/users?find=jansen');
  await page.getByRole('link', { name: 'Joke Jansen' }).click();
  await page.getByRole('button', { name: 'Deactivate…' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByText('Not active').count()).toBe(0);
  await page.getByRole('button', { name: 'Deactivate…' }).click();
  await dialog(page).getByRole('button', { name: 'Deactivate' }).click();
  await expectVisible(page.getByText('Not active: cannot sign in.'));
  await page.goto('/users');
  await page.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'Not active' }).click();
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('rowheader');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['Joke Jansen']);
  await page.getByRole('link', { name: 'Joke Jansen' }).click();
  await theirs.goto('/cohorts');
  await expectVisible(theirs.getByRole('heading', { name: 'Sign in to Milepost' }));
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect.poll(() => page.getByText('Not active').count()).toBe(0);
  await signIn(theirs, { username: 'j.jansen', password });
  await expectVisible(theirs.getByRole('heading', { name: 'Cohorts' }));
});

it('changes what somebody is called and reached by, and gives another password, which signs them out', async () => {
  const { page, complaints } = admin;
  const theirs = await person('j.jansen');
  await page.goto('/users?find=jansen');
  await page.getByRole('link', { name: 'Joke Jansen' }).click();
  await page.getByRole('button', { name: 'Change…' }).click();
  const save = dialog(page).getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await dialog(page).getByLabel('Name', { exact: true }).fill('Joke de Wit');
  await dialog(page).getByLabel('Username').fill('j.wit');
  await dialog(page).getByLabel('E-mail').fill('admin@localhost');
  const own = dialog(page).getByRole('textbox', { name: 'Your current password' });
  await own.fill(here.product.account.password);
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
      .getByText(/the one given is wrong/),
  );
  await own.fill(here.product.account.password);
  await save.click();
  await expectVisible(page.getByRole('heading', { name: 'Joke de Wit' }));
  await expectVisible(page.getByText('wit@example.org'));
  await theirs.goto('/cohorts');
  await expectVisible(theirs.getByRole('heading', { name: 'Sign in to Milepost' }));
  await signIn(theirs, { username: 'wit@example.org', password: changedPassword });
  await expectVisible(theirs.getByRole('heading', { name: 'Cohorts' }));
  expect(complaints).toEqual([]);
});

it('does not offer to deactivate oneself', async () => {
  const { page } = admin;
  await page.goto('/users?find=admin');
  await page.getByRole('table', { name: 'Users' }).getByRole('link').click();
  await expectVisible(page.getByText('Who it is'));
  expect(await page.getByRole('button', { name: 'Deactivate…' }).count()).toBe(0);
});

it('says in words what a role allows', async () => {
  const { page } = admin;
  await page.goto('/roles');
  const row = (words: string) => page.getByRole('row').filter({ hasText: words });
  await expectVisible(row('Add users').getByText('Yes'));
  await page.getByRole('link', { name: 'superuser' }).click();
  await expectVisible(page.getByText('Adds and moves study data'));
  await expectVisible(row('Move experiments, and retry what failed').getByText('Yes'));
  await expectVisible(row('Add users').getByText('No'));
});

it('leads only those to users, roles and audit who may see them', async () => {
  const page = await person('j.wit', changedPassword);
  const names = ['Users', 'Roles', 'Audit'];
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
