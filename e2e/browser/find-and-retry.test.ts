/** Journey 2: find an experiment that needs attention and retry it in at most three clicks. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('retrying');
let person: Person;

beforeAll(async () => {
  person = await signedIn(env);
});

it('shows that no experiment of an empty study needs attention', async () => {
  await expectVisible(person.page.getByRole('heading', { name: 'No experiments need attention' }));
});

it('lists a failed experiment with its age until the user retries it successfully in at most three clicks', async () => {
  const { page, pageErrors } = person;
  const clicks = await countClicks(page);
  const id = await env.study.experiment('MC-0041', 'segmenting');
  await (await env.study.claimRun()).finish('failed', 'no T1 series');
  const row = page.getByRole('row', { name: /MC-0041/ });
  await expectVisible(row.getByText('Failed'));
  await expectVisible(page.getByRole('heading', { name: '1 experiment needs attention' }));
  await expectVisible(row.getByText(/^(?:now|\d+ s ago|\d+ min ago)/));

  await row.getByRole('button', { name: 'Retry MC-0041' }).click();
  const again = await env.study.claimRun();
  expect(clicks()).toBeGreaterThan(0);
  expect(clicks()).toBeLessThanOrEqual(3);
  await again.finish('success');
  await expectVisible(page.getByRole('heading', { name: 'No experiments need attention' }));
  expect(await env.product.client.getExperimentState({ params: { id } })).toMatchObject({
    state: { label: 'segmented' },
  });
  expect(pageErrors).toEqual([]);
});
