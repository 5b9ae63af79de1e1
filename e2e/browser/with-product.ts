import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { startProduct, type Product } from '../product.ts';
import { connect, type Connection } from '../connection.ts';
import { launchChromium, type TestEnv } from './chromium.ts';
import { makeStudy, type Study } from './study.ts';

/** Launches a browser for a test file. The environment is complete when the first hook of the file runs. */
function withBrowser<Env extends TestEnv>(prepare: () => Promise<Omit<Env, 'browser'>>): Env {
  const env: Partial<Env> = {};
  beforeAll(async () => {
    const [prepared, browser] = await Promise.all([prepare(), launchChromium()]);
    Object.assign(env, prepared, { browser });
  });
  // Unused pages still take CPU time. Pages opened before the first test are shared by all tests.
  let kept: readonly BrowserContext[];
  beforeEach(() => void (kept = env.browser?.contexts() ?? []));
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(env.browser?.contexts() ?? []);
    const opened = env.browser?.contexts().filter((context) => !kept.includes(context)) ?? [];
    await Promise.all(opened.map((context) => context.close()));
  });
  afterAll(() => env.browser?.close());
  return env as Env;
}

/** What the pages of a failed test show: often the error that the test did not expect. */
async function printPages(contexts: readonly BrowserContext[]): Promise<void> {
  for (const page of contexts.flatMap((context) => context.pages())) {
    const text = await page.locator('body').innerText({ timeout: 5000 }).catch(String);
    console.error(`${page.url()} shows:\n${text.slice(0, 3000)}`);
  }
}

interface ProductEnv extends TestEnv {
  product: Product;
}

/** For tests that look at the whole installation or need their own settings: a product with its own data. */
export function withProduct(
  data: string,
  settings: () => Promise<Record<string, string>> = async () => ({}),
): ProductEnv {
  let product: Product | undefined;
  afterAll(() => product?.stop());
  return withBrowser<ProductEnv>(async () => {
    product = await startProduct(inject('installed'), { data, settings: await settings() });
    return { product };
  });
}

/** For tests that need an administrator and do not depend on other data: the shared product. */
export const withSharedProduct = (): TestEnv => withBrowser(async () => ({ product: connect(inject('shared')) }));

export interface StudyEnv extends TestEnv {
  study: Study;
}

/** For all other tests: a study in the shared product, and an account that sees only its cohort. */
export const withStudy = (label: string): StudyEnv =>
  withBrowser<StudyEnv>(async () => {
    const admin = connect(inject('shared'));
    const study = await makeStudy(admin, label);
    return { study, product: await createCoordinator(admin, study) };
  });

async function createCoordinator({ client, url }: Connection, { cohort, workflow }: Study): Promise<Connection> {
  const account = { username: `coordinator-${workflow.label}`, password: randomUUID() };
  const { username } = account;
  const email = `${username}@example.org`;
  await client.createUser({
    body: { ...account, name: `Coordinator of ${workflow.label}`, email, all_cohorts: false },
  });
  await client.assignCohortRole({ params: { username, role_name: 'admin', cohort_id: cohort.id } });
  return connect({ url, account });
}
