/** Password reset by e-mail and single sign-on, with a test mail server and a test OpenID Connect provider. */
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
const env = withProduct('data-sign-in-methods', async () => {
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

/** The provider and the e-mails need the URL before the product starts. */
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
const pathOf = (page: Page) => page.url().replace(env.product.url, '');

/** The link in the e-mail to this address. */
async function linkFor(email: string): Promise<string> {
  const messages = () => mail.received.filter(({ to }) => to.includes(email)).map(textOf);
  await expect.poll(() => messages().length, { interval: 100 }).toBe(1);
  return /http:\S+#\S+/.exec(messages()[0] ?? '')?.[0] ?? '';
}

it('sends a reset link by e-mail, and accepts the new password at the next sign-in', async () => {
  const account = { username: 'joke', password: 'the first of two sentences' };
  const [email, next] = ['joke@example.org', 'the second of two sentences'];
  await env.product.client.createUser({ body: { ...account, email } });
  const { page, pageErrors } = await visitor(env);
  const forgot = page.getByRole('link', { name: 'Forgot your password?' });
  await page.goto('/');
  await forgot.click();
  await page.getByRole('link', { name: 'Back to sign-in' }).click();
  await forgot.click();
  await page.getByLabel('Username or e-mail').fill(account.username);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expectVisible(page.getByRole('status').getByText('it will receive a link by e-mail'));
  await page.goto(await linkFor(email));
  await field(page, 'New password').fill(next);
  await field(page, 'Confirm new password').fill(next);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expectVisible(page.getByText('Your password was changed.'));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, { ...account, password: next });
  await expectVisible(page.getByRole('button', { name: /^Account of/ }));
  expect(pageErrors).toEqual([]);
});

it('opens the requested page after single sign-on, offers no password change and signs the user out', async () => {
  provider.world.people.set('ann', { name: 'Ann Other', preferred_username: 'ann', groups: ['readers'] });
  provider.world.nextUser = 'ann';
  const { page, pageErrors } = await visitor(env);
  await page.goto('/experiments?state=3');
  await providerLink(page).click();
  await expectVisible(page.getByRole('button', { name: /^Account of/ }));
  expect(pathOf(page)).toBe('/experiments?state=3');
  await page.goto('/account');
  await expectVisible(page.getByText('You sign in without a password.'));
  expect(await page.getByRole('textbox', { name: /password/i }).count()).toBe(0);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expectVisible(providerLink(page));
  expect(pageErrors.filter((error) => !error.startsWith(`requested ${provider.issuer}/`))).toEqual([]);
});

it('shows that the user cancelled the sign-in at the provider, and then accepts a password', async () => {
  provider.world.nextUser = undefined;
  const { page } = await visitor(env);
  await page.goto('/');
  await providerLink(page).click();
  await expectVisible(page.getByRole('alert').getByText('The sign-in was cancelled.'));
  await signIn(page, env.product.account);
  await expectVisible(page.getByText('No experiments yet.'));
});

it('removes the secret of a reset link from the URL, and shows an error for a link without a secret', async () => {
  const { page } = await visitor(env);
  await page.goto('/reset-password#secret-from-the-mail');
  await field(page, 'New password').fill('a sentence is a fine password');
  expect(page.url()).toBe(`${env.product.url}/reset-password`);
  await field(page, 'Confirm new password').fill('another sentence');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expectVisible(page.getByText('The new passwords do not match.'));
  await page.reload();
  await expectVisible(page.getByRole('alert').getByText('This link is incomplete.'));
});

it('shows a fixed message for a failed single sign-on, and never shows text from the URL', async () => {
  const { page } = await visitor(env);
  await page.goto('/sign-in?problem=account_inactive');
  await expectVisible(
    page.getByRole('alert').getByText('Your account is deactivated. Ask an administrator to activate it.'),
  );
  await page.goto('/sign-in?problem=call+0800+now');
  await expectVisible(page.getByRole('alert').getByText('Single sign-on failed. Try again.'));
  expect(await page.getByText('0800').count()).toBe(0);
  await signIn(page, env.product.account);
  await expectVisible(page.getByText('No experiments yet.'));
  expect(new URL(page.url()).pathname).toBe('/');
});
