/** Journey: from Attention to a decided visual quality control in at most three clicks, and on to the next decision by key. */
import { beforeAll, expect, inject, it } from 'vitest';
import { connect } from '../connection.ts';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible, isFocused } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('deciding');
let person: Person;

const workflow = `
label: visual_review
initial: visual_qc
states:
  - label: visual_qc
    title: Visual QC
    freetext: A person reviews the images and decides.
    decision:
      due: 3d
      show: [{variable: motion, title: Motion, unit: mm, max: 1.2}]
      fields: [{variable: quality, title: Quality, type: choice, choices: [good, poor], required: true}]
    transitions:
      - {destination: archiving, by: person, title: Accept}
      - {destination: reprocessing, by: person, title: Reprocess, condition: "experiment.variables['reprocessed'] != true"}
      - {destination: rejected, by: person, title: Reject}
  - {label: archiving, title: Archiving, outcome: good}
  - {label: reprocessing}
  - {label: rejected, outcome: bad}
`;

const experiment = async (label: string, variables: Record<string, unknown>) => {
  const { client } = env.product;
  const { id } = await client.createExperiment({
    body: { label, subject_id: env.study.subject.id, workflow_label: 'visual_review', scandate: '2026-03-29' },
  });
  for (const [name, value] of Object.entries(variables))
    await client.setExperimentVariable({ params: { id, name }, body: { value, reason: 'measured' } });
  return id;
};

let ids: number[];
beforeAll(async () => {
  person = await signedIn(env);
  await connect(inject('shared')).client.importWorkflow({ body: { workflow_definition: workflow } });
  ids = [
    await experiment('MC-0029', { motion: 1.56, reprocessed: true }),
    await experiment('MC-0030', { motion: 0.4 }),
  ];
});

it('shows in the graph how many experiments wait for a decision', async () => {
  const { page } = person;
  const [first = 0] = ids;
  const { workflow: found } = await env.product.client.getExperimentOverview({ params: { id: first } });
  await page.goto(`/workflows/${found.id}`);
  await expectVisible(page.getByRole('button', { name: /^Visual QC 2 experiments.* 2 to decide/ }));
  await expectVisible(page.getByText('2 experiments active, 0 finished. 2 need attention.'));
});

it('lists the decisions of a clicked state with their causes and due times, and leads to the next one', async () => {
  const { page } = person;
  await page.getByRole('button', { name: /^Visual QC/ }).click();
  const table = page.getByRole('table', { name: 'Decisions in visual_qc' });
  const row = table.getByRole('row', { name: /MC-0029/ });
  await expectVisible(row.getByText('Motion is 1.56 mm. The limit is 1.2 mm.'));
  await expectVisible(row.getByText(/^in 2 d 23 h$/));
  await expectVisible(row.getByRole('link', { name: 'Decide about MC-0029' }));
  await expect.poll(() => table.getByRole('row').count()).toBe(3);
  await expectVisible(page.getByText('A person reviews the images and decides.').first());
  const next = page.getByRole('link', { name: 'Decide next' });
  expect(await next.getAttribute('href')).toBe(`/experiments/${ids[0]}`);
  await page.goto('/');
});

it('decides in at most three clicks, and the key J opens the next decision', async () => {
  const { page, pageErrors } = person;
  await expectVisible(page.getByRole('heading', { name: '2 experiments need attention' }));
  await expectVisible(page.getByText('No other experiments are moving.'));
  const row = page.getByRole('row', { name: /MC-0029/ });
  await expectVisible(row.getByText('Motion is 1.56 mm. The limit is 1.2 mm.'));
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Decide next' }).click();
  await expectVisible(page.getByRole('heading', { name: 'MC-0029' }));
  await expectVisible(page.getByText('0.36 mm over the limit'));
  await expectVisible(page.getByText('1 of 2 to decide'));
  await expectVisible(page.getByText(/^Not possible now: .*reprocessed/));
  expect(await page.getByRole('button', { name: 'Reprocess' }).isDisabled()).toBe(true);
  await page.getByRole('radio', { name: 'good' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expectVisible(page.getByText('Moved MC-0029 to Archiving.'));
  expect(clicks()).toBeLessThanOrEqual(3);
  const [first = 0, second = 0] = ids;
  expect(await env.product.client.getExperiment({ params: { id: first } })).toMatchObject({
    state: { label: 'archiving' },
    variable_map: { quality: 'good' },
  });
  await expectVisible(page.getByText('1 to decide', { exact: true }));
  await page.keyboard.press('j');
  await expectVisible(page.getByRole('heading', { name: 'MC-0030' }));
  await expectVisible(page.getByText('1 of 1 to decide'));
  await page.getByRole('radio', { name: 'poor' }).click();
  await page.getByRole('button', { name: 'Reject' }).click();
  await expectVisible(page.getByText('Moved MC-0030 to rejected.'));
  expect(await env.product.client.getExperimentState({ params: { id: second } })).toMatchObject({
    state: { label: 'rejected' },
  });
  expect(pageErrors).toEqual([]);
});

it('shows a value as a row with its limit and the judgement', async () => {
  const { page } = person;
  const id = await experiment('MC-0031', { motion: 1.56 });
  await page.goto(`/experiments/${id}`);
  await expectVisible(page.getByRole('row', { name: 'Motion 1.56 mm Limit 1.2 mm 0.36 mm over the limit' }));
  await env.product.client.setExperimentVariable({ params: { id, name: 'motion' }, body: { value: 0.9 } });
  await expectVisible(page.getByRole('row', { name: 'Motion 0.9 mm Limit 1.2 mm Below the limit' }));
});

it('decides with a letter and Enter, but a letter in the reason is text', async () => {
  const { page, pageErrors } = person;
  const id = await experiment('MC-0032', {});
  await page.goto(`/experiments/${id}`);
  const accept = page.getByRole('button', { name: 'Accept' });
  await expectVisible(page.getByText('Required: Quality.'));
  await page.getByRole('radio', { name: 'good' }).click();
  await expectVisible(page.getByText('Press a letter, then Enter to decide.'));
  await page.getByLabel('Reason').focus();
  await page.keyboard.type('jake reads');
  expect(await page.getByLabel('Reason').inputValue()).toBe('jake reads');
  expect(await isFocused(accept)).toBe(false);
  await page.getByRole('radio', { name: 'good' }).focus();
  await page.keyboard.press('a');
  expect(await isFocused(accept)).toBe(true);
  await page.keyboard.press('e');
  expect(await isFocused(page.getByRole('button', { name: 'Reject' }))).toBe(true);
  expect(await env.product.client.getExperimentState({ params: { id } })).toMatchObject({
    state: { label: 'visual_qc' },
  });
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await expectVisible(page.getByText('Moved MC-0032 to Archiving.'));
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expectVisible(timeline.getByText('Moved by Coordinator of deciding'));
  await expectVisible(timeline.getByText('“jake reads”'));
  await expectVisible(timeline.getByRole('link', { name: 'Archiving', exact: true }));
  await expectVisible(timeline.getByRole('link', { name: 'Visual QC', exact: true }));
  await expectVisible(timeline.getByRole('img', { name: /^Time in each state\. Visual QC: / }));
  expect(pageErrors).toEqual([]);
});
