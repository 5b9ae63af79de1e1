/** The own account: signing in and out, ending a session elsewhere, another name, e-mail and password. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signedIn, signIn, visitor } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('account');

const signInForm = (page: Page) => page.getByRole('heading', { name: 'Sign in to Milepost' });

it('a wrong password is refused in words, and the right one leads to where one wanted to go', async () => {
  const { page } = await visitor(here);
  await page.goto('/cohorts');
  await page.getByLabel('Username or e-mail').fill(here.product.account.username);
  await page.getByRole('textbox', { name: 'Password' }).fill('a wrong guess');
  await page.keyboard.press('Enter');
  await expectVisible(page.getByRole('alert').getByText('There is no active account with this name and password.'));
  await signIn(page, here.product.account);
  await expectVisible(page.getByRole('heading', { name: 'Cohorts' }));
});

it('shows no other way in where there is none', async () => {
  const { page, complaints } = await visitor(here);
  await page.goto('/cohorts');
  await expectVisible(page.getByRole('button', { name: 'Sign in', exact: true }));
  expect(await page.getByRole('link').count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('who signs out sees the sign-in, also after going back (V7.4.4, V14.3.1)', async () => {
  const { page } = await signedIn(here);
  await page.goto('/cohorts');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expectVisible(signInForm(page));
  await page.goBack();
  await expectVisible(signInForm(page));
});

it('a session that is ended elsewhere is over by itself', async () => {
  const [one, other] = [await signedIn(here), await signedIn(here)];
  await other.page.goto('/experiments');
  await one.page.goto('/account');
  await one.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expectVisible(signInForm(other.page));
  await expectVisible(one.page.getByText('This browser'));
  expect([...one.complaints, ...other.complaints]).toEqual([]);
});

it('another name and e-mail of one’s own show at once, the e-mail after giving the password', async () => {
  const { page, complaints } = await signedIn(here);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change…' }).click();
  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true });
  await field('Name').fill('Ada Other');
  expect(await field('Your current password').count()).toBe(0);
  await field('E-mail').fill('ada@example.org');
  const save = async (password: string) => {
    await field('Your current password').fill(password);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  };
  await save('not the current one');
  await expectVisible(
    page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/the one given is wrong/),
  );
  await save(here.product.account.password);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  for (const text of ['Ada Other', 'ada@example.org']) await expectVisible(page.getByRole('main').getByText(text));
  await expectVisible(page.getByRole('button', { name: 'Account of Ada Other' }));
  expect(complaints).toEqual([]);
});

it('another password takes the old one, signs out everybody else, and leaves one where one is', async () => {
  const [one, other] = [await signedIn(here), await signedIn(here)];
  const { username, password } = here.product.account;
  const next = 'a sentence that nobody guesses';
  await one.page.goto('/account');
  const change = async (current: string) => {
    await one.page.getByRole('textbox', { name: 'Current password' }).fill(current);
    await one.page.getByRole('textbox', { name: 'New password', exact: true }).fill(next);
    await one.page.getByRole('textbox', { name: 'New password again' }).fill(next);
    await one.page.getByRole('button', { name: 'Change password' }).click();
  };
  await change('not the current one');
  await expectVisible(one.page.getByRole('main').getByRole('alert'));
  await change(password);
  await expectVisible(one.page.getByText('Tokens go on: revoke those you do not know.'));
  await expectVisible(signInForm(other.page));
  await expectVisible(one.page.getByRole('heading', { name: 'Your account' }));
  await signIn(other.page, { username, password: next });
  await expectVisible(other.page.getByRole('main').getByRole('heading'));
});
