/** Journey 3: the graph of a workflow with live counts, and a table that is filtered by clicking a state. */
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('seeing');
let person: Person;

beforeAll(async () => {
  for (const label of ['one', 'two', 'three']) await env.study.experiment(label);
  await env.study.experiment('four', 'segmenting');
  person = await signedIn(env);
});

const state = (name: RegExp) => person.page.getByRole('button', { name });
const rows = () => person.page.getByRole('table').getByRole('row').filter({ hasText: 'Cohort seeing' });

describe('the workflow page', () => {
  it('opens from the navigation and shows a graph with a count for each state', async () => {
    const { page } = person;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('link', { name: 'seeing' }).click();
    await expectVisible(state(/^arrived 3 experiments/));
    await expectVisible(state(/^segmenting 1 experiment/));
    await expect.poll(() => rows().count()).toBe(4);
  });

  it('filters the table by the clicked state, and keeps the filter in the URL', async () => {
    await state(/^arrived /).click();
    await expect.poll(() => rows().count()).toBe(3);
    expect(new URL(person.page.url()).searchParams.has('state')).toBe(true);
    await person.page.reload();
    await expect.poll(() => rows().count()).toBe(3);
  });

  it('brings the table into view after a click on a state', async () => {
    const { page } = person;
    await page.setViewportSize({ width: 1280, height: 320 });
    await page.reload();
    await state(/^segmenting /).click();
    const heading = page.getByRole('heading', { name: /^segmenting · 1 experiment/ });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? 1000).toBeLessThan(250);
    await page.setViewportSize({ width: 1280, height: 800 });
    await state(/^arrived /).click();
  });

  it('shows the condition of a transition on hover and focus, and a legend', async () => {
    const { page } = person;
    const edge = page.getByRole('img', { name: /^segmenting → segmented/ });
    await edge.focus();
    await expectVisible(page.getByRole('tooltip'));
    expect(await page.getByRole('tooltip').textContent()).toMatch(/^segmenting → segmented/);
    expect(await page.getByRole('tooltip').locator('code').textContent()).toMatch(/^callbacks\['segmentation'\]/);
    await expectVisible(page.getByRole('tooltip').getByText('Moved by the engine or a person'));
    await page.keyboard.press('Escape');
    await edge.locator('path').first().hover({ force: true });
    await expect.poll(() => page.getByRole('tooltip').textContent()).toMatch(/^segmenting → segmented/);
    await expectVisible(page.getByRole('list', { name: 'Legend' }).getByText('Moved by a person'));
  });

  it('updates the counts and the table live', async () => {
    await (await env.study.claimRun()).finish('success');
    await expectVisible(state(/^segmented 1 experiment/));
    await env.study.experiment('five');
    await expectVisible(state(/^arrived 4 experiments/));
    await expect.poll(() => rows().count()).toBe(4);
    expect(person.pageErrors).toEqual([]);
  });

  it('shows the median time on the graph, and median, 90% and number of stays in a table', async () => {
    const { page, pageErrors } = person;
    await page.goto(`/workflows/${env.study.workflow.id}`);
    await expectVisible(state(/^segmenting 0 experiments\s*median (?:< )?[\d.]+ (?:s|min)/));
    await page.getByText('Time in state', { exact: true }).click();
    const table = page.getByRole('table', { name: 'Time in state' });
    await expect.poll(() => table.getByRole('row').count()).toBe(3);
    expect(await table.getByRole('columnheader').allTextContents()).toEqual([
      'State',
      'Cohort',
      'Median',
      '90% within',
      'Stays',
    ]);
    const { states } = await env.product.client.getWorkflowDurations({
      params: { workflow_label: env.study.workflow.label },
    });
    const stays = states.filter((one) => one.stays > 0).map((one) => [one.state.label, one.stays]);
    expect(stays).toEqual([
      ['arrived', 1],
      ['segmenting', 1],
    ]);
    const arrived = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'arrived' }) });
    expect(await arrived.getByRole('cell').allTextContents()).toEqual([
      'All cohorts',
      expect.stringMatching(/^(?:< )?[\d.]+ (?:s|min)/),
      expect.stringMatching(/^(?:< )?[\d.]+ (?:s|min)/),
      '1',
    ]);
    await page.getByText('Time in state', { exact: true }).click();
    expect(pageErrors).toEqual([]);
  });

  it('shows the first ten experiments of a state, those with incidents first, and links to all of them', async () => {
    const { page, pageErrors } = person;
    const { experiment, move, claimRun, workflow } = env.study;
    const earlier: number[] = [];
    for (let n = 0; n < 11; n++) earlier.push(await experiment(`early ${n}`));
    const failed = await experiment('late', 'segmenting');
    await (await claimRun()).finish('failed');
    for (const id of earlier) await move(id, 'segmenting');
    const { state: segmenting } = await env.product.client.getExperimentState({ params: { id: failed } });
    await page.goto(`/workflows/${workflow.id}?state=${segmenting.id}`);
    const all = page.getByRole('table').getByRole('row');
    await expectVisible(all.nth(1).getByText('late'));
    await expect.poll(() => all.count()).toBe(11);
    await page.getByRole('link', { name: 'Show all 12' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/experiments');
    await expect.poll(() => all.count()).toBe(13);
    expect(pageErrors).toEqual([]);
  });
});
