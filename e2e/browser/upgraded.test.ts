/** A page that is open during an upgrade: the scripts of its version are gone. */
import { expect, it } from 'vitest';
import { signedIn } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('upgraded');

it('offers to reload if the script of a page is missing, and then shows the page', async () => {
  const { page } = await signedIn(env);
  const gone = '**/assets/cohorts-page-*.js';
  await page.route(gone, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Cohorts' }).click();
  await expectVisible(page.getByRole('heading', { name: 'Milepost was probably updated' }));
  await page.unroute(gone);
  await page.getByRole('button', { name: 'Reload page' }).click();
  await expectVisible(page.getByRole('heading', { name: 'Cohorts', exact: true }));
  expect(new URL(page.url()).pathname).toBe('/cohorts');
});
