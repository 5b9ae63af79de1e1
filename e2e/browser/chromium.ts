/** Debian's Chromium, and simulated users with a browser context each, whose page errors are collected. */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Account, Connection } from '../connection.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const executablePath = process.env['MILEPOST_CHROMIUM'] ?? '/usr/bin/chromium';

/** Ends a test that hangs. It is far longer than any wait on a slow machine. */
const timeout = 300_000;

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: flags, timeout });

/** The product under test, and a browser that all users of a test file share. */
export interface TestEnv {
  product: Connection;
  browser: Browser;
}

export interface Person {
  context: BrowserContext;
  page: Page;
  /** Script errors, violations of the content security policy, and requests to other hosts. */
  pageErrors: string[];
}

/** A user who is not signed in. */
export async function visitor(
  { browser, product: { url } }: TestEnv,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(timeout);
  const pageErrors = collectPageErrors(context, new URL(url).origin);
  return { context, page: await context.newPage(), pageErrors };
}

/** A user who has signed in with the form and sees the start page. */
export async function signedIn(env: TestEnv, options: BrowserContextOptions = {}): Promise<Person> {
  const person = await visitor(env, options);
  await person.page.goto('/');
  await signIn(person.page, env.product.account);
  return person;
}

export async function signIn(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel('Username or e-mail').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in to Milepost' }).waitFor({ state: 'detached' });
}

function collectPageErrors(context: BrowserContext, origin: string): string[] {
  const pageErrors: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (to !== origin && protocol !== 'data:' && protocol !== 'blob:') pageErrors.push(`requested ${request.url()}`);
  });
  context.on('weberror', (error) => pageErrors.push(String(error.error())));
  context.on('console', (message) => {
    // The page handles error responses itself, so the browser's message about them is not a page error.
    const isErrorResponse = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isErrorResponse) pageErrors.push(message.text());
  });
  return pageErrors;
}
