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
  await expectVisible(row.getByText('segmentation: no T1 series'));
  await expectVisible(page.getByRole('heading', { name: '1 experiment needs attention' }));
  await expectVisible(row.getByText(/^(?:< )?\d+ (?:s|min)/));

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

it('shows experiments that failed for the same cause in one row, and lists them after one click', async () => {
  const { page, pageErrors } = person;
  const labels = ['MC-0101', 'MC-0102', 'MC-0103'];
  for (const [index, label] of labels.entries()) {
    await env.study.experiment(label, 'segmenting');
    await (await env.study.claimRun()).finish('failed', `Series ${index + 1} has no slices`);
  }
  const group = page.getByRole('row', { name: /3 experiments/ });
  await expectVisible(group.getByText('Series … has no slices'));
  await expectVisible(group.getByRole('button', { name: 'Retry MC-0101' }));
  await expect.poll(() => page.getByRole('row', { name: /MC-0102/ }).count()).toBe(0);

  await group.getByRole('link').click();
  for (const label of labels) await expectVisible(page.getByRole('row', { name: new RegExp(label) }));
  await expectVisible(page.getByText('Series 2 has no slices'));
  await page.getByRole('link', { name: 'Show all causes' }).click();
  await expectVisible(group);
  expect(pageErrors).toEqual([]);
});

it('shows how long experiments usually stay in the state', async () => {
  const { page, pageErrors } = person;
  await env.study.experiment('MC-0200', 'segmenting');
  await (await env.study.claimRun()).finish('failed', 'disk full');
  // MC-0041 has left the state. Workers count it a little later.
  const query = { workflow_id: env.study.workflow.id };
  const stays = async () =>
    (await env.product.client.listInsightStays({ query })).stays.find(({ state }) => state.label === 'segmenting')
      ?.stays;
  await expect.poll(stays).toBe(1);
  await page.goto('/');
  const row = page.getByRole('row', { name: /MC-0200/ });
  const usual = row.getByText(/^usually (?:< )?[\d.]+ (?:s|min)/);
  await usual.hover();
  await expectVisible(page.getByRole('tooltip').getByText('Median time in this state over 12 weeks'));
  const height = (await row.boundingBox())?.height;
  await usual.evaluate((element) => (element.style.display = 'none'));
  expect((await row.boundingBox())?.height).toBe(height);
  expect(pageErrors).toEqual([]);
});
