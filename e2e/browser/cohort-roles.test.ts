/** Roles for individual cohorts: assigning and removing them on the page of a user, and the access they grant. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('data-cohort-roles');
const password = 'a sentence is a fine password';
let admin: Person;
let user: { id: number };
let study: Study;

/** Each cohort has an experiment with a failed run, so that it appears on every list. */
async function fillCohort(label: string): Promise<void> {
  const { client } = env.product;
  await client.createCohort({ body: { label } });
  const subject = await client.createSubject({ body: { label: `S-${label}`, cohort_label: label } });
  const body = { label: `E-${label}`, subject_id: subject.id, workflow_label: study.workflow.label };
  const { id } = await client.createExperiment({ body });
  await study.move(id, 'segmenting');
  await (await study.claimRun()).finish('failed', `Broken in ${label}`);
}

beforeAll(async () => {
  const { client } = env.product;
  study = await makeStudy(env.product, 'scans');
  for (const label of ['North', 'South']) await fillCohort(label);
  user = await client.createUser({
    body: { username: 'j.jansen', name: 'Joke Jansen', email: 'j.jansen@example.org', password },
  });
  admin = await signedIn(env);
});

const dialog = (page: Page) => page.getByRole('dialog');
const roles = (page: Page) => page.getByRole('table', { name: 'Roles' });

it('removes a role for all cohorts after confirmation, and shows that the user has no roles', async () => {
  const { page } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Remove role user for all cohorts' }).click();
  await dialog(page).getByRole('button', { name: 'Remove role' }).click();
  await expectVisible(page.getByText('No roles. The user can sign in but sees no study data.'));
});

it('assigns a role for individual cohorts once a cohort is selected', async () => {
  const { page, pageErrors } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Assign role…' }).click();
  await dialog(page).getByLabel('Role').selectOption('superuser');
  await dialog(page).getByLabel('Only these cohorts').check();
  expect(await dialog(page).getByRole('button', { name: 'Assign role' }).isDisabled()).toBe(true);
  await dialog(page).getByLabel('North').check();
  await dialog(page).getByRole('button', { name: 'Assign role' }).click();
  await expectVisible(roles(page).getByRole('row').filter({ hasText: 'superuser' }).getByText('North'));
  expect(pageErrors).toEqual([]);
});

it('shows only the cohort of a role, offers to withdraw its subjects, and lists the role on the account page', async () => {
  const { page } = await visitor(env);
  await page.goto('/cohorts');
  await signIn(page, { username: 'j.jansen', password });
  const cohorts = page.getByRole('table', { name: 'Cohorts' }).getByRole('rowheader');
  await expect.poll(() => cohorts.allInnerTexts()).toEqual(['North']);
  await page.getByRole('link', { name: 'North', exact: true }).click();
  await page.getByRole('link', { name: 'S-North' }).click();
  await expectVisible(page.getByRole('button', { name: 'Withdraw…' }));
  await page.goto('/account');
  await expectVisible(page.getByText('Roles in North'));
});

/** Exports the rows of a page once they are loaded. */
async function csvOf(page: Page, path: string): Promise<string[]> {
  await page.goto(path);
  await expectVisible(page.getByRole('row', { name: /North/ }).first());
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const [_head, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  return rows;
}

const isFromSouth = (row: string) => row.includes('South');

it('exports only rows of the cohort in which the user has a role', async () => {
  const { page } = await visitor(env);
  await page.goto('/');
  await signIn(page, { username: 'j.jansen', password });
  for (const path of ['/', '/experiments', `/workflows/${study.workflow.id}`]) {
    const [all, seen] = [await csvOf(admin.page, path), await csvOf(page, path)];
    expect({ path, rows: all.filter(isFromSouth).length }).toEqual({ path, rows: 1 });
    expect({ path, rows: seen.length, foreign: seen.filter(isFromSouth) }).toEqual({ path, rows: 1, foreign: [] });
  }
});

it('adds a user who sees no cohort until an administrator assigns a role', async () => {
  const { page, pageErrors } = admin;
  await page.goto('/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await dialog(page).getByLabel('Username').fill('p.visser');
  await dialog(page).getByLabel('E-mail').fill('p.visser@example.org');
  await dialog(page).getByRole('textbox', { name: 'Initial password' }).fill(password);
  expect(
    await dialog(page)
      .getByLabel(/^All cohorts/)
      .isChecked(),
  ).toBe(true);
  await dialog(page).getByLabel('Role').selectOption('No role yet');
  await expectVisible(dialog(page).getByText(/sees no study data until you assign a role/));
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click();
  await expectVisible(page.getByText('No roles. The user can sign in but sees no study data.'));
  const { page: theirs } = await visitor(env);
  await theirs.goto('/cohorts');
  await signIn(theirs, { username: 'p.visser', password });
  await expectVisible(theirs.getByText('Your account has no permission to read study data.'));
  await theirs.getByRole('button', { name: /^Account of/ }).click();
  await theirs.getByRole('menuitem', { name: 'Your account' }).click();
  await expectVisible(theirs.getByRole('heading', { name: 'Your account' }));
  await theirs.goBack();
  const { client } = env.product;
  const { id: cohort_id } = await client.getCohortByLabel({ params: { label: 'South' } });
  await client.assignCohortRole({ params: { username: 'p.visser', role_name: 'user', cohort_id } });
  await theirs.getByRole('button', { name: 'Check again' }).click();
  const cohorts = theirs.getByRole('table', { name: 'Cohorts' }).getByRole('rowheader');
  await expect.poll(() => cohorts.allInnerTexts()).toEqual(['South']);
  expect(pageErrors).toEqual([]);
});

it('removes a role for one cohort, and shows that the user has no roles', async () => {
  const { page } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Remove role superuser in North' }).click();
  await dialog(page).getByRole('button', { name: 'Remove role' }).click();
  await expectVisible(page.getByText('No roles. The user can sign in but sees no study data.'));
});
