/** Insights: the figures of a workflow, the period, charts by keyboard, figures as a table and as CSV, and links. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible, isFocused } from './expect-visible.ts';
import { withSharedProduct } from './with-product.ts';

const env = withSharedProduct();
let person: Person;
let workflows: { id: number; label: string }[];

const definition = (label: string) => `
label: ${label}
states:
  - label: arrived
    transitions: [{destination: reviewing}]
  - label: reviewing
    transitions: [{destination: accepted}, {destination: rejected}]
  - {label: accepted, outcome: good}
  - {label: rejected, outcome: bad}
`;

/** The last state of each experiment. */
const ends = ['accepted', 'accepted', 'accepted', 'rejected', 'accepted', 'reviewing'];

beforeAll(async () => {
  const { client } = env.product;
  for (const label of ['flowing', 'unused'])
    await client.importWorkflow({ body: { workflow_definition: definition(label) } });
  const cohort = await client.createCohort({ body: { label: 'Cohort flowing' } });
  const subject = await client.createSubject({ body: { label: 'S-flowing', cohort_label: cohort.label } });
  for (const [index, end] of ends.entries()) {
    const body = { label: `flowing ${index}`, subject_id: subject.id, workflow_label: 'flowing' };
    const { id } = await client.createExperiment({ body });
    for (const state of new Set(['reviewing', end]))
      await client.setExperimentState({ params: { id }, body: { state_label: state, freetext: 'Moved by the test.' } });
  }
  workflows = (await client.listWorkflows()).workflows;
  person = await signedIn(env);
});

const idOf = (label: string) => workflows.find((one) => one.label === label)?.id;
const chart = (page: Page, name: string) => page.getByRole('slider', { name, exact: true });
const valueText = async (page: Page, name: string) => (await chart(page, name).getAttribute('aria-valuetext')) ?? '';

/** Workers count moves a little later. */
const openCounted = async (page: Page) => {
  await page.goto(`/insights?workflow=${idOf('flowing')}`);
  await expectVisible(page.getByText('5 finished in 12 weeks, all this week. 1 is in progress.'));
};

describe('the page Insights', () => {
  it('opens from the navigation and shows the figures of the chosen workflow', async () => {
    const { page } = person;
    await page.goto('/cohorts');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Insights' }).click();
    await page.getByRole('combobox', { name: 'Workflow' }).click();
    await page.getByRole('option', { name: 'flowing', exact: true }).click();
    await expectVisible(page.getByRole('heading', { name: 'Insights · flowing' }));
    await openCounted(page);
    await expectVisible(page.getByText('6 arrived and 5 finished this week so far.'));
    const row = page.getByRole('table', { name: 'Time in state' }).getByRole('row', { name: /reviewing/ });
    expect(await row.getByRole('cell').nth(0).textContent()).toBe('5');
    await expectVisible(row.getByRole('img', { name: /^10%: .+Median: /s }));
    await expectVisible(page.getByText('5 of 6', { exact: true }));
  });

  it('keeps the period in the URL', async () => {
    const { page } = person;
    await openCounted(page);
    await page.getByRole('combobox', { name: 'Period' }).click();
    await page.getByRole('option', { name: 'Last 4 weeks' }).click();
    await expectVisible(page.getByText('5 finished in 4 weeks, all this week.'));
    expect(await chart(page, 'Finished per week').getAttribute('aria-valuemax')).toBe('4');
    await page.reload();
    await expectVisible(page.getByText('5 finished in 4 weeks, all this week.'));
  });

  it('moves along the weeks of a chart by keyboard, announces their values and shows them', async () => {
    const { page } = person;
    await openCounted(page);
    const name = 'Finished per week';
    await chart(page, name).waitFor();
    await page.getByRole('button', { name: `CSV of ${name}` }).focus();
    await page.keyboard.press('Tab');
    expect(await isFocused(chart(page, name))).toBe(true);
    expect(await valueText(page, name)).toBe('This week so far: Arrived 6, rejected 1, accepted 4');
    await expectVisible(page.getByText('This week so far', { exact: true }));
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => valueText(page, name)).toMatch(/^Week of .+: Arrived 0, rejected 0, accepted 0$/);
    await expectVisible(page.getByText(/^Week of /));
    await page.keyboard.press('Home');
    expect(await chart(page, name).getAttribute('aria-valuenow')).toBe('1');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText(/^Week of /).count()).toBe(0);
  });

  it('shows the figures of a chart as a table, which links to the counted experiments', async () => {
    const { page } = person;
    const region = page.getByRole('region', { name: 'Table of Finished per week' });
    const cells = region.getByRole('row', { name: /^This week so far/ }).getByRole('cell');
    const found = page.getByRole('table', { name: 'Experiments' }).getByRole('rowheader');
    for (const [column, experiments] of [6, 5, 4, 1].entries()) {
      await openCounted(page);
      const toggle = page.getByRole('button', { name: 'Table of Finished per week' });
      await toggle.click();
      expect(await toggle.getAttribute('aria-pressed')).toBe('true');
      const heads = await region.getByRole('columnheader').allTextContents();
      expect(heads).toEqual(['Week', 'Arrived', 'Finished', 'accepted', 'rejected']);
      expect(await cells.allTextContents()).toEqual(['6', '5', '4', '1']);
      await cells.nth(column).getByRole('link').click();
      await expect.poll(() => found.count()).toBe(experiments);
    }
  });

  it('links the number of stays in a state to the experiments that left it', async () => {
    const { page } = person;
    await openCounted(page);
    const row = page.getByRole('table', { name: 'Time in state' }).getByRole('row', { name: /reviewing/ });
    await row.getByRole('link', { name: '5', exact: true }).click();
    await expect.poll(() => page.getByRole('table', { name: 'Experiments' }).getByRole('rowheader').count()).toBe(5);
  });

  it('exports the figures as CSV with the filters of the page', async () => {
    const { page } = person;
    await page.goto(`/insights?workflow=${idOf('flowing')}&q=${encodeURIComponent('state:accepted')}`);
    await expectVisible(page.getByText('4 finished in 12 weeks'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of Time in state' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('insights-time-in-state.csv');
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(head).toMatch(/^\uFEFF?state\.label,stays,p10_seconds/);
    expect(lines.map((line) => line.split(',').slice(0, 2))).toContainEqual(['reviewing', '4']);
  });

  it('is linked from the forecast of a cohort, which names why there is none', async () => {
    const { page } = person;
    await openCounted(page);
    const cohort = (await env.product.client.listCohorts()).cohorts.find(({ label }) => label === 'Cohort flowing');
    await page.goto(`/cohorts/${cohort?.id}`);
    const line = page.getByText('A forecast needs at least 8 weeks of history with 20 finished experiments.');
    await line.getByRole('link', { name: 'Insights' }).click();
    await expectVisible(page.getByRole('heading', { name: 'Insights · flowing' }));
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('workflow'), searchParams.get('cohort')]).toEqual([
      String(idOf('flowing')),
      String(cohort?.id),
    ]);
  });

  it('says why a workflow has no figures, and marks an error in the query', async () => {
    const { page, pageErrors } = person;
    await page.goto(`/insights?workflow=${idOf('unused')}`);
    await expectVisible(page.getByText('No experiments yet in unused.'));
    await page.goto(`/insights?workflow=${idOf('flowing')}&q=stat%3Aaccepted`);
    await expectVisible(page.getByRole('alert').getByText('Did you mean state?'));
    expect(pageErrors).toEqual([]);
  });
});
