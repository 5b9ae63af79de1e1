/** Journey 2: find what needs me, and retry it in at most three clicks. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('retrying');
let person: Person;

beforeAll(async () => {
  person = await signedIn(here);
});

it('an empty study says that nobody is needed', async () => {
  await expectVisible(person.page.getByRole('heading', { name: 'No experiment needs someone' }));
});

it('what fails appears by itself with its age, is retried in at most three clicks, and is gone when it went well', async () => {
  const { page, complaints } = person;
  const clicks = await countClicks(page);
  const id = await here.study.experiment('MC-0041', 'segmenting');
  await (await here.study.take()).end('failed', 'no T1 series');
  const row = page.getByRole('row', { name: /MC-0041/ });
  await expectVisible(row.getByText('Failed'));
  await expectVisible(page.getByRole('heading', { name: '1 experiment needs someone' }));
  await expectVisible(row.getByText(/^(?:just now|\d+ s|\d+ min)/));

  await row.getByRole('button', { name: 'Retry MC-0041' }).click();
  const again = await here.study.take();
  expect(clicks()).toBeGreaterThan(0);
  expect(clicks()).toBeLessThanOrEqual(3);
  await again.end('success');
  await expectVisible(page.getByRole('heading', { name: 'No experiment needs someone' }));
  expect(await here.product.client.getExperimentState({ params: { id } })).toMatchObject({
    state: { label: 'segmented' },
  });
  expect(complaints).toEqual([]);
});
