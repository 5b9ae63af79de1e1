/** The banner that says on every page what does not work, with a database that becomes read-only. */
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('data-degraded');

/** The servers and workers connect again, and get the setting of their role. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const database = new Client({
    connectionString: env.product.databaseUrl,
    options: '-c default_transaction_read_only=off',
  });
  await database.connect();
  await database.query(`alter role current_user set default_transaction_read_only = ${isReadOnly}`);
  await database.query(`
    select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()`);
  await database.end();
}

afterEach(() => setReadOnly(false));

it('appears on an open page while the database is read-only, leads to the system, and disappears', async () => {
  const { page, pageErrors } = await signedIn(env, withoutMotion);
  await page.goto('/cohorts');
  await expectVisible(page.getByRole('heading', { name: 'Cohorts' }));
  const banner = page.getByRole('status').filter({ hasText: 'The database is read-only.' });
  expect(await banner.count()).toBe(0);
  await setReadOnly(true);
  await expectVisible(banner.getByText('You can read everything, but changes fail.'));
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect({ width, violations: await seriousViolations(page) }).toEqual({ width, violations: [] });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await banner.getByRole('link', { name: 'View system' }).click();
  await expectVisible(page.getByText('Check whether DATABASE_URL leads to a standby server', { exact: false }));
  await setReadOnly(false);
  await expect.poll(() => banner.count()).toBe(0);
  expect(pageErrors).toEqual([]);
});
