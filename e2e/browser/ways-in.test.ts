/** The page of sign-in shows the ways that the server names, and a link of a mail leads to another password. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { signIn, visitor } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withProduct } from './with-product.ts';

const here = withProduct('data-ways-in');

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

/** A server with other settings: neither a provider nor a mail server is at hand here. */
const withWays = (page: Page, ways: object) =>
  page.route('**/api/v2/sign-in', (route) => route.fulfill({ json: ways }));

it('shows no other way where there is none', async () => {
  const { page, complaints } = await visitor(here);
  await page.goto('/cohorts');
  await expectVisible(signInButton(page));
  expect(await page.getByRole('link').count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('leads to the provider and back to where one wanted to go, and to a new password', async () => {
  const { page } = await visitor(here);
  const single_sign_on = { name: 'University', uri: '/sign-in/oidc' };
  await withWays(page, { password: true, single_sign_on, password_reset: true });
  await page.goto('/experiments?state=3');
  const provider = page.getByRole('link', { name: 'Sign in with University' });
  expect(await provider.getAttribute('href')).toBe('/sign-in/oidc?return_to=%2Fexperiments%3Fstate%3D3');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expectVisible(page.getByRole('heading', { name: 'Forgot your password?' }));
  expect(new URL(page.url()).pathname).toBe('/forgot-password');
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await expectVisible(signInButton(page));
});

it('asks for no password where single sign-on is the only way', async () => {
  const { page } = await visitor(here);
  const single_sign_on = { name: 'University', uri: '/sign-in/oidc' };
  await withWays(page, { password: false, single_sign_on, password_reset: false });
  await page.goto('/');
  await expectVisible(page.getByRole('link', { name: 'Sign in with University' }));
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Forgot your password?' }).count()).toBe(0);
});

it('takes what proves a link out of the address, and says when it is missing', async () => {
  const { page } = await visitor(here);
  await page.goto('/reset-password#what-came-by-mail');
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('New password').fill('a sentence is a fine password');
  expect(page.url()).toBe(`${here.product.url}/reset-password`);
  await field('New password again').fill('another sentence');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectVisible(page.getByText('The two passwords differ.'));
  await page.reload();
  await expectVisible(page.getByRole('alert').getByText('This address is not whole.'));
});

it('says in words of ours why single sign-on did not succeed, and never words of the address', async () => {
  const { page } = await visitor(here);
  await page.goto('/sign-in?problem=account_inactive');
  await expectVisible(page.getByRole('alert').getByText('Your account is not active. Ask an administrator.'));
  await page.goto('/sign-in?problem=call+0800+now');
  await expectVisible(page.getByRole('alert').getByText('You are not signed in. Try again.'));
  expect(await page.getByText('0800').count()).toBe(0);
  await signIn(page, here.product.account);
  await expectVisible(page.getByText('Nobody is needed here.'));
  expect(new URL(page.url()).pathname).toBe('/');
});
