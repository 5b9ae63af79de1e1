/** Journey 3: the workflow as a graph with live counts; a click on a state filters the table under it. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('seeing');
let person: Person;

beforeAll(async () => {
  for (const label of ['one', 'two', 'three']) await here.study.experiment(label);
  await here.study.experiment('four', 'segmenting');
  person = await signedIn(here);
});

const state = (name: RegExp) => person.page.getByRole('button', { name });
const rows = () => person.page.getByRole('table').getByRole('row').filter({ hasText: 'Cohort seeing' });

it('leads from the navigation to the graph, with a count for each state', async () => {
  const { page } = person;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
  await page.getByRole('link', { name: 'seeing' }).click();
  await expectVisible(state(/^arrived 3 experiments/));
  await expectVisible(state(/^segmenting 1 experiment/));
  await expect.poll(() => rows().count()).toBe(4);
});

it('a click on a state leaves its experiments in the table, and the address says so', async () => {
  await state(/^arrived /).click();
  await expect.poll(() => rows().count()).toBe(3);
  expect(new URL(person.page.url()).searchParams.has('state')).toBe(true);
  await person.page.reload();
  await expect.poll(() => rows().count()).toBe(3);
});

it('counts and table follow what happens', async () => {
  await (await here.study.take()).end('success');
  await expectVisible(state(/^segmented 1 experiment/));
  await here.study.experiment('five');
  await expectVisible(state(/^arrived 4 experiments/));
  await expect.poll(() => rows().count()).toBe(4);
  expect(person.complaints).toEqual([]);
});
