/** The user's own account: signing in and out, ending other sessions, and changing name, e-mail and password. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signedIn, signIn, visitor } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('account');

const signInForm = (page: Page) => page.getByRole('heading', { name: 'Sign in to Milepost' });

it('rejects a wrong password, and opens the requested page after the user signs in', async () => {
  const { page } = await visitor(env);
  await page.goto('/cohorts');
  await page.getByLabel('Username or e-mail').fill(env.product.account.username);
  await page.getByRole('textbox', { name: 'Password' }).fill('a wrong guess');
  await page.keyboard.press('Enter');
  await expectVisible(
    page.getByRole('alert').getByText('The username or password is wrong, or the account is deactivated.'),
  );
  await signIn(page, env.product.account);
  await expectVisible(page.getByRole('heading', { name: 'Cohorts' }));
});

it('shows only the password form if no other sign-in method is configured', async () => {
  const { page, pageErrors } = await visitor(env);
  await page.goto('/cohorts');
  await expectVisible(page.getByRole('button', { name: 'Sign in', exact: true }));
  expect(await page.getByRole('link').count()).toBe(0);
  expect(pageErrors).toEqual([]);
});

it('shows the sign-in page when the user signs out and goes back (V7.4.4, V14.3.1)', async () => {
  const { page } = await signedIn(env);
  await page.goto('/cohorts');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expectVisible(signInForm(page));
  await page.goBack();
  await expectVisible(signInForm(page));
});

it('shows the sign-in page when another browser ends the session', async () => {
  const [one, other] = [await signedIn(env), await signedIn(env)];
  await other.page.goto('/experiments');
  await one.page.goto('/account');
  await one.page.getByRole('button', { name: 'End other sessions' }).click();
  await expectVisible(signInForm(other.page));
  await expectVisible(one.page.getByText('This browser'));
  expect([...one.pageErrors, ...other.pageErrors]).toEqual([]);
});

it('changes the name and e-mail, and requires the current password only if the e-mail changes', async () => {
  const { page, pageErrors } = await signedIn(env);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Edit…' }).click();
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
      .getByText(/Your current password is wrong\./),
  );
  await save(env.product.account.password);
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  for (const text of ['Ada Other', 'ada@example.org']) await expectVisible(page.getByRole('main').getByText(text));
  await expectVisible(page.getByRole('button', { name: 'Account of Ada Other' }));
  expect(pageErrors).toEqual([]);
});

async function changePassword(page: Page, { current, next }: { current: string; next: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Current password' }).fill(current);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(next);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(next);
  await page.getByRole('button', { name: 'Change password' }).click();
}

it('stays signed in if a request with the old session is rejected after the password changed', async () => {
  const { page, context } = await signedIn(env);
  const [old] = await context.cookies();
  const oldCookie = `${old?.name}=${old?.value}`;
  let isReplaced = false;
  // The first request for events with the new session is sent with the old one.
  await page.route('**/events*', async (route) => {
    const headers = await route.request().allHeaders();
    if (isReplaced || headers['cookie'] === oldCookie) return route.continue();
    isReplaced = true;
    return route.fulfill({ response: await route.fetch({ headers: { ...headers, cookie: oldCookie } }) });
  });
  const rejected = page.waitForResponse((response) => response.url().includes('/events') && response.status() === 401);
  await page.goto('/account');
  const { password } = env.product.account;
  await changePassword(page, { current: password, next: password });
  await expectVisible(page.getByText('Changed your password and ended your other sessions.'));
  await rejected;
  await expectVisible(page.getByRole('status').getByText('Live', { exact: true }));
  await page.reload();
  await expectVisible(page.getByRole('heading', { name: 'Your account' }));
});

it('changes the password, ends all other sessions and keeps the current session', async () => {
  const [one, other] = [await signedIn(env), await signedIn(env)];
  const { username, password } = env.product.account;
  const next = 'a sentence that nobody guesses';
  await one.page.goto('/account');
  await changePassword(one.page, { current: 'not the current one', next });
  await expectVisible(one.page.getByRole('main').getByRole('alert'));
  await changePassword(one.page, { current: password, next });
  await expectVisible(one.page.getByText('Your API tokens still work. Revoke any that you do not recognise.'));
  await expectVisible(signInForm(other.page));
  await expectVisible(one.page.getByRole('heading', { name: 'Your account' }));
  await signIn(other.page, { username, password: next });
  await expectVisible(other.page.getByRole('main').getByRole('heading'));
});
