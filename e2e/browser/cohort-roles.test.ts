/** Roles for named cohorts, given and taken on the page of a user, and what that lets the user see. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-cohort-roles');
const password = 'a sentence is a fine password';
let admin: Person;
let user: { id: number };
let study: Study;

/** Each has an experiment whose run failed, so that something of it would stand on every page. */
async function fillCohort(label: string): Promise<void> {
  const { client } = here.product;
  await client.createCohort({ body: { label } });
  const subject = await client.createSubject({ body: { label: `S-${label}`, cohort_label: label } });
  const body = { label: `E-${label}`, subject_id: subject.id, workflow_label: study.workflow.label };
  const { id } = await client.createExperiment({ body });
  await study.move(id, 'segmenting');
  await (await study.take()).end('failed', `Broken in ${label}`);
}

beforeAll(async () => {
  const { client } = here.product;
  study = await makeStudy(here.product, 'scans');
  for (const label of ['North', 'South']) await fillCohort(label);
  user = await client.createUser({
    body: { username: 'j.jansen', name: 'Joke Jansen', email: 'j.jansen@example.org', password },
  });
  admin = await signedIn(here);
});

const dialog = (page: Page) => page.getByRole('dialog');
const roles = (page: Page) => page.getByRole('table', { name: 'Roles' });

it('a role is taken after a question, and who has none is told so', async () => {
  const { page } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Take the role user for all cohorts' }).click();
  await dialog(page).getByRole('button', { name: 'Take the role' }).click();
  await expectVisible(page.getByText('No role: may sign in, but see no study data.'));
});

it('a role is given for named cohorts, and not before one is named', async () => {
  const { page, complaints } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Give a role…' }).click();
  await dialog(page).getByLabel('Role').selectOption('superuser');
  await dialog(page).getByLabel('Only these cohorts').check();
  expect(await dialog(page).getByRole('button', { name: 'Give the role' }).isDisabled()).toBe(true);
  await dialog(page).getByLabel('North').check();
  await dialog(page).getByRole('button', { name: 'Give the role' }).click();
  await expectVisible(roles(page).getByRole('row').filter({ hasText: 'superuser' }).getByText('North'));
  expect(complaints).toEqual([]);
});

it('the user sees that cohort alone, may change what is in it, and reads so on the own account', async () => {
  const { page } = await visitor(here);
  await page.goto('/cohorts');
  await signIn(page, { username: 'j.jansen', password });
  const cohorts = page.getByRole('table', { name: 'Cohorts' }).getByRole('rowheader');
  await expect.poll(() => cohorts.allInnerTexts()).toEqual(['North']);
  await page.getByRole('link', { name: 'North', exact: true }).click();
  await page.getByRole('link', { name: 'S-North' }).click();
  await expectVisible(page.getByRole('button', { name: 'Withdraw…' }));
  await page.goto('/account');
  await expectVisible(page.getByText('Roles for North'));
});

/** The rows that a page exports, once they are there. */
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

const tellsOfSouth = (row: string) => row.includes('South');

it('an export has the rows of that cohort, and nothing of another', async () => {
  const { page } = await visitor(here);
  await page.goto('/');
  await signIn(page, { username: 'j.jansen', password });
  for (const path of ['/', '/experiments', `/workflows/${study.workflow.id}`]) {
    const [all, seen] = [await csvOf(admin.page, path), await csvOf(page, path)];
    expect({ path, rows: all.filter(tellsOfSouth).length }).toEqual({ path, rows: 1 });
    expect({ path, rows: seen.length, foreign: seen.filter(tellsOfSouth) }).toEqual({ path, rows: 1, foreign: [] });
  }
});

it('somebody is added who sees no cohort until one is given', async () => {
  const { page, complaints } = admin;
  await page.goto('/users');
  await page.getByRole('button', { name: 'Add a user…' }).click();
  await dialog(page).getByLabel('Username').fill('p.visser');
  await dialog(page).getByLabel('E-mail').fill('p.visser@example.org');
  await dialog(page).getByRole('textbox', { name: 'First password' }).fill(password);
  expect(
    await dialog(page)
      .getByLabel(/^Sees all cohorts/)
      .isChecked(),
  ).toBe(true);
  await dialog(page)
    .getByLabel(/^Sees only cohorts that are given afterwards/)
    .check();
  await dialog(page).getByRole('button', { name: 'Add the user' }).click();
  await expectVisible(page.getByText('No role: may sign in, but see no study data.'));
  const { page: theirs } = await visitor(here);
  await theirs.goto('/cohorts');
  await signIn(theirs, { username: 'p.visser', password });
  await expectVisible(theirs.getByRole('alert').getByText(/Your account has no role yet/));
  const { client } = here.product;
  const { id: cohort_id } = await client.getCohortByLabel({ params: { label: 'South' } });
  await client.assignCohortRole({ params: { username: 'p.visser', role_name: 'user', cohort_id } });
  await theirs.reload();
  const cohorts = theirs.getByRole('table', { name: 'Cohorts' }).getByRole('rowheader');
  await expect.poll(() => cohorts.allInnerTexts()).toEqual(['South']);
  expect(complaints).toEqual([]);
});

it('the role for a cohort is taken, and nothing is left to see', async () => {
  const { page } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Take the role superuser for North' }).click();
  await dialog(page).getByRole('button', { name: 'Take the role' }).click();
  await expectVisible(page.getByText('No role: may sign in, but see no study data.'));
});
