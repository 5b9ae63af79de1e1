/** The workflow page shows the counts of past days, and how often experiments took each transition. */
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('past');
let person: Person;

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const state = (name: RegExp) => person.page.getByRole('button', { name });
const slider = () => person.page.getByRole('slider', { name: 'Day' });
const dayOfUrl = () => new URL(person.page.url()).searchParams.get('at');

/** Workers count moves a little later. */
const counted = async () => {
  const query = { workflow_id: env.study.workflow.id };
  const { experiments, traffic } = await env.product.client.getInsights({ query });
  return [experiments, ...traffic.map(({ moves }) => moves)];
};

beforeAll(async () => {
  for (const label of ['past one', 'past two']) await env.study.experiment(label);
  await env.study.experiment('past three', 'segmenting');
  person = await signedIn(env);
});

it('draws transitions by their traffic, and names it on hover and focus', async () => {
  const { page } = person;
  await expect.poll(counted).toEqual([3, 1]);
  await page.goto(`/workflows/${env.study.workflow.id}`);
  const edge = page.getByRole('img', { name: /^arrived → segmenting/ });
  const unused = page.getByRole('img', { name: /^segmenting → segmented.*No moves in 12 weeks$/ });
  await expectVisible(unused);
  await edge.focus();
  await expectVisible(page.getByRole('tooltip').getByText('1 move in 12 weeks'));
  await page.keyboard.press('Escape');
  const widthOf = (one: typeof edge) =>
    one
      .locator('path')
      .nth(1)
      .evaluate((line) => parseFloat(getComputedStyle(line).strokeWidth));
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  expect(await widthOf(unused)).toBe(1);
  expect(await widthOf(edge)).toBeGreaterThan(1.2);
});

describe('the workflow page as of a past day', () => {
  it('shows the counts of the day in the URL, says so, and leads back to the present', async () => {
    const { page } = person;
    await expect.poll(counted).toEqual([3, 1]);
    await page.goto(`/workflows/${env.study.workflow.id}?at=${dayBefore(1)}`);
    await expectVisible(page.getByText(/^Counts at the end of \d+ \w+ \d{4} \(UTC\)\.$/));
    await expectVisible(state(/^arrived 0 experiments/));
    expect(await page.getByLabel('As of').inputValue()).toBe(dayBefore(1));
    await expectVisible(page.getByRole('heading', { name: 'All states · 3 experiments now' }));
    await page.getByRole('button', { name: 'Show now' }).click();
    await expectVisible(state(/^arrived 2 experiments/));
    expect(dayOfUrl()).toBeNull();
    expect(await page.getByText('Counts at the end of').count()).toBe(0);
  });

  it('moves by a day with the arrow keys, and names the day', async () => {
    const { page } = person;
    await slider().focus();
    expect(await slider().getAttribute('aria-valuetext')).toBe('Now');
    await page.keyboard.press('ArrowLeft');
    expect(await slider().getAttribute('aria-valuetext')).toMatch(/^\d+ \w+ \d{4}$/);
    await expect.poll(dayOfUrl).toBe(dayBefore(1));
    await expectVisible(state(/^arrived 0 experiments/));
    await page.keyboard.press('ArrowRight');
    await expect.poll(dayOfUrl).toBeNull();
    await expectVisible(state(/^arrived 2 experiments/));
  });

  it('keeps the counts of the day while experiments arrive, and filters by a clicked state', async () => {
    const { page, pageErrors } = person;
    await page.getByLabel('As of').fill(dayBefore(1));
    await expectVisible(state(/^arrived 0 experiments/));
    await env.study.experiment('past four');
    await expectVisible(page.getByRole('heading', { name: 'All states · 4 experiments now' }));
    expect(await state(/^arrived 0 experiments/).count()).toBe(1);
    await state(/^segmenting /).click();
    await expectVisible(page.getByRole('heading', { name: /^segmenting · 1 experiment now/ }));
    expect(dayOfUrl()).toBe(dayBefore(1));
    expect(pageErrors).toEqual([]);
  });
});
