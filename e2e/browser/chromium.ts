/** Debian's Chromium, and people who use it: each has a browser context of their own, and what goes wrong in it is noted. */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Account, Served } from '../served.ts';

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

/** For whatever the browser is waited for. It bounds a hang; a slow machine never gets near it. */
const timeout = 300_000;

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath, args: flags, timeout });

/** Where people are: the product, and a browser that is theirs together. */
export interface Here {
  product: Served;
  browser: Browser;
}

export interface Person {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, violations of the content security policy, requests to foreign hosts: what nobody may see. */
  complaints: string[];
}

/** Somebody who has just opened the page, not signed in. */
export async function visitor(
  { browser, product: { url } }: Here,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(timeout);
  const complaints = noteComplaints(context, new URL(url).origin);
  return { context, page: await context.newPage(), complaints };
}

/** Somebody who has signed in by the form, and sees the first page. */
export async function signedIn(here: Here, options: BrowserContextOptions = {}): Promise<Person> {
  const person = await visitor(here, options);
  await person.page.goto('/');
  await signIn(person.page, here.product.account);
  return person;
}

export async function signIn(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel('Username or e-mail').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in to Milepost' }).waitFor({ state: 'detached' });
}

function noteComplaints(context: BrowserContext, origin: string): string[] {
  const complaints: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (to !== origin && protocol !== 'data:' && protocol !== 'blob:') complaints.push(`asked ${request.url()}`);
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    // A refusal by the server is told on the page; that it came is no fault of the page.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  return complaints;
}
