/** Roles for named cohorts, given and taken on the page of a user, and what that lets the user see. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-cohort-roles');
const password = 'a sentence is a fine password';
let admin: Person;
let user: { id: number };

beforeAll(async () => {
  const { client } = here.product;
  for (const label of ['North', 'South']) {
    await client.createCohort({ body: { label } });
    await client.createSubject({ body: { label: `S-${label}`, cohort_label: label } });
  }
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

it('the role for a cohort is taken, and nothing is left to see', async () => {
  const { page } = admin;
  await page.goto(`/users/${user.id}`);
  await page.getByRole('button', { name: 'Take the role superuser for North' }).click();
  await dialog(page).getByRole('button', { name: 'Take the role' }).click();
  await expectVisible(page.getByText('No role: may sign in, but see no study data.'));
});
