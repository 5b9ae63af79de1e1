/** The ways in beside the password, with a provider of OpenID Connect and a mail server that are there. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import {
  startMailServer,
  textOf,
  type TestMailServer,
} from '../../packages/server/testing/counterparts/mail-server.ts';
import {
  startOpenIdProvider,
  type OpenIdCounterpart,
} from '../../packages/server/testing/counterparts/openid-provider.ts';
import { signIn, visitor } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withProduct } from './with-product.ts';

let mail: TestMailServer;
let provider: OpenIdCounterpart;
const here = withProduct('data-ways-in', async () => {
  const port = await freePort();
  mail = await startMailServer();
  provider = await startOpenIdProvider(`http://127.0.0.1:${port}`);
  return {
    ...provider.settings,
    MILEPOST_PORT: String(port),
    MILEPOST_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MILEPOST_MAIL_FROM: 'milepost@example.org',
  };
});
afterAll(() => Promise.all([mail.stop(), provider.stop()]));

/** The provider and the letters must know the address before the product has one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const providerLink = (page: Page) => page.getByRole('link', { name: 'Sign in with Hospital account' });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const placeOf = (page: Page) => page.url().replace(here.product.url, '');

/** The link of the letter, as somebody finds it in their mail. */
async function linkFor(email: string): Promise<string> {
  const letters = () => mail.received.filter(({ to }) => to.includes(email)).map(textOf);
  await expect.poll(() => letters().length, { interval: 100 }).toBe(1);
  return /http:\S+#\S+/.exec(letters()[0] ?? '')?.[0] ?? '';
}

it('a forgotten password: a letter comes, its link leads to a new one, and that lets one in', async () => {
  const account = { username: 'joke', password: 'the first of two sentences' };
  const [email, next] = ['joke@example.org', 'the second of two sentences'];
  await here.product.client.createUser({ body: { ...account, email } });
  const { page, complaints } = await visitor(here);
  const forgot = page.getByRole('link', { name: 'Forgot your password?' });
  await page.goto('/');
  await forgot.click();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await forgot.click();
  await page.getByLabel('Username or e-mail').fill(account.username);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expectVisible(page.getByRole('status').getByText('a link is on its way'));
  await page.goto(await linkFor(email));
  await field(page, 'New password').fill(next);
  await field(page, 'New password again').fill(next);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expectVisible(page.getByText('Your password is changed.'));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, { ...account, password: next });
  await expectVisible(page.getByRole('button', { name: /^Account of/ }));
  expect(complaints).toEqual([]);
});

it('single sign-on leads to the provider, back to where one wanted to go, and out again', async () => {
  provider.world.people.set('ann', { name: 'Ann Other', preferred_username: 'ann', groups: ['readers'] });
  provider.world.next = 'ann';
  const { page, complaints } = await visitor(here);
  await page.goto('/experiments?state=3');
  await providerLink(page).click();
  await expectVisible(page.getByRole('button', { name: /^Account of/ }));
  expect(placeOf(page)).toBe('/experiments?state=3');
  await page.goto('/account');
  await expectVisible(page.getByText('You sign in without a password here.'));
  expect(await page.getByRole('textbox', { name: /password/i }).count()).toBe(0);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expectVisible(providerLink(page));
  expect(complaints.filter((complaint) => !complaint.startsWith(`asked ${provider.issuer}/`))).toEqual([]);
});

it('who cancels at the provider is told so, and can go on with a password', async () => {
  provider.world.next = undefined;
  const { page } = await visitor(here);
  await page.goto('/');
  await providerLink(page).click();
  await expectVisible(page.getByRole('alert').getByText('The sign-in was cancelled.'));
  await signIn(page, here.product.account);
  await expectVisible(page.getByText('Nobody is needed here.'));
});

it('takes what proves a link out of the address, and says when it is missing', async () => {
  const { page } = await visitor(here);
  await page.goto('/reset-password#what-came-by-mail');
  await field(page, 'New password').fill('a sentence is a fine password');
  expect(page.url()).toBe(`${here.product.url}/reset-password`);
  await field(page, 'New password again').fill('another sentence');
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
