import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { startProduct, type Product } from '../product.ts';
import { served, type Served } from '../served.ts';
import { launchChromium, type Here } from './chromium.ts';
import { makeStudy, type Study } from './study.ts';

/** A browser for a file of tests. It and the product are there as soon as the first hook of the file runs. */
function withBrowser<Place extends Here>(prepare: () => Promise<Omit<Place, 'browser'>>): Place {
  const here: Partial<Place> = {};
  beforeAll(async () => {
    const [prepared, browser] = await Promise.all([prepare(), launchChromium()]);
    Object.assign(here, prepared, { browser });
  });
  // Pages that nobody looks at any more still take time. Those that were opened before the first test are used by all.
  let kept: readonly BrowserContext[];
  beforeEach(() => void (kept = here.browser?.contexts() ?? []));
  afterEach(async () => {
    const opened = here.browser?.contexts().filter((context) => !kept.includes(context)) ?? [];
    await Promise.all(opened.map((context) => context.close()));
  });
  afterAll(() => here.browser?.close());
  return here as Place;
}

interface OwnHere extends Here {
  product: Product;
}

/** For a file that looks at the whole installation, or needs settings of its own: a product with data of its own. */
export function withProduct(data: string, settings: () => Promise<Record<string, string>> = async () => ({})): OwnHere {
  let product: Product | undefined;
  afterAll(() => product?.stop());
  return withBrowser<OwnHere>(async () => {
    product = await startProduct(inject('installed'), { data, settings: await settings() });
    return { product };
  });
}

/** For a file that needs an administrator, and is not disturbed by what others do: the shared product. */
export const withSharedProduct = (): Here => withBrowser(async () => ({ product: served(inject('shared')) }));

export interface StudyHere extends Here {
  study: Study;
}

/** For all other files: a study in the shared product, and an account that sees nothing but its cohort. */
export const withStudy = (label: string): StudyHere =>
  withBrowser<StudyHere>(async () => {
    const admin = served(inject('shared'));
    const study = await makeStudy(admin, label);
    return { study, product: await coordinatorOf(admin, study) };
  });

async function coordinatorOf({ client, url }: Served, { cohort, workflow }: Study): Promise<Served> {
  const account = { username: `coordinator-${workflow.label}`, password: randomUUID() };
  const { username } = account;
  const email = `${username}@example.org`;
  await client.createUser({
    body: { ...account, name: `Coordinator of ${workflow.label}`, email, all_cohorts: false },
  });
  await client.assignCohortRole({ params: { username, role_name: 'admin', cohort_id: cohort.id } });
  return served({ url, account });
}
