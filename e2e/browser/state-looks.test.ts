/** A state looks the same on every page: the title and the colour of the workflow file, and a sign for decisions and outcomes. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, it } from 'vitest';
import { connect } from '../connection.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('looking');
let person: Person;
let ids: { waiting: number; accepted: number; workflow: number };

const workflow = (title: string) => `
label: same_looks
initial: visual_qc
states:
  - {label: visual_qc, title: ${title}, colour: "#d97706", decision: {due: 3d}, transitions: [{destination: accepted, by: person}]}
  - {label: accepted, title: Accepted, outcome: good}
`;
const importWorkflow = (title: string) =>
  connect(inject('shared')).client.importWorkflow({ body: { workflow_definition: workflow(title) } });

const create = async (label: string) => {
  const body = { label, subject_id: env.study.subject.id, workflow_label: 'same_looks', scandate: '2026-03-29' };
  return (await env.product.client.createExperiment({ body })).id;
};

beforeAll(async () => {
  person = await signedIn(env);
  await importWorkflow('Visual QC');
  const [waiting, accepted] = [await create('LK-1'), await create('LK-2')];
  await env.product.client.setExperimentState({ params: { id: accepted }, body: { state_label: 'accepted' } });
  const { workflow: found } = await env.product.client.getExperimentOverview({ params: { id: waiting } });
  ids = { waiting, accepted, workflow: found.id };
});

/** The computed colour of the mark next to the first such title in the content. */
const markColour = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByText(title, { exact: true })
    .first()
    .evaluate((element) => {
      const mark = element.parentElement?.querySelector('i, circle');
      if (!mark) return 'no mark';
      const style = getComputedStyle(mark);
      return mark.tagName === 'I' ? style.backgroundColor : style.fill;
    });

it('has the title and the colour of its file in every list, on the experiment and in the graph', async () => {
  const { page, pageErrors } = person;
  const { subject, cohort } = env.study;
  for (const path of [
    '/',
    '/experiments',
    `/experiments/${ids.waiting}`,
    `/subjects/${subject.id}`,
    `/cohorts/${cohort.id}`,
    `/cohorts/${cohort.id}?view=states`,
    `/workflows/${ids.workflow}`,
  ]) {
    await page.goto(path);
    await expectVisible(page.getByRole('main').getByText('Visual QC', { exact: true }));
    expect({ path, colour: await markColour(page, 'Visual QC') }).toEqual({ path, colour: 'rgb(217, 119, 6)' });
  }
  expect(pageErrors).toEqual([]);
});

it('has the same title in the search', async () => {
  const { page } = person;
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('LK-');
  await expectVisible(page.getByRole('option', { name: /^LK-1\b.*Visual QC/ }));
  await expectVisible(page.getByRole('option', { name: /^LK-2\b.*Accepted/ }));
  await page.keyboard.press('Escape');
});

it('has a person if users decide, and a check mark in green if its outcome is good', async () => {
  const { page } = person;
  await page.goto('/experiments');
  const chip = (label: string) =>
    page
      .getByRole('row', { name: label })
      .locator('span:has(> bdi)')
      .filter({ has: page.locator('svg') });
  await expect.poll(() => chip('LK-1').locator('svg').count()).toBe(1);
  await expect.poll(() => chip('LK-2').locator('svg circle').count()).toBe(1);
  expect(await markColour(page, 'Accepted')).toBe('rgb(43, 122, 61)');
});

it('gets its new title on an open page after an import', async () => {
  const { page, pageErrors } = await signedIn({ ...env, product: connect(inject('shared')) });
  await page.goto('/experiments?q=label:LK-*');
  await expectVisible(page.getByRole('row', { name: /LK-1/ }).getByText('Visual QC'));
  await importWorkflow('Review');
  await expectVisible(page.getByRole('row', { name: /LK-1/ }).getByText('Review'));
  expect(pageErrors).toEqual([]);
});
