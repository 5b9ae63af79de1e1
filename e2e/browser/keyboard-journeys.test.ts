/** Four journeys of an administrator with the keyboard alone. `keyboard.test.ts` finds an experiment and moves it. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, visitor } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { expectVisibleFocus, pressOn, tabTo } from './keyboard.ts';
import { makeDecisionScreens } from './screens.ts';
import { makeStudy } from './study.ts';
import { withSharedProduct } from './with-product.ts';

const env = withSharedProduct();
let decidable: number;

beforeAll(async () => {
  const { client } = env.product;
  await makeDecisionScreens(env.product, 'keyed');
  const { cohorts } = await client.listCohorts();
  decidable = cohorts.find(({ label }) => label === 'Cohort keyed')?.id ?? 0;
  const study = await makeStudy(env.product, 'walked');
  for (const label of ['W-1', 'W-2']) {
    const subject = await client.createSubject({ body: { label, cohort_label: study.cohort.label } });
    const common = { subject_id: subject.id, workflow_label: study.workflow.label };
    for (const visit of ['baseline', 'month-06'])
      await client.createExperiment({ body: { ...common, label: `${label}-${visit}` } });
  }
});

it('signs in and decides an item of "Needs attention"', async () => {
  const { page, pageErrors } = await visitor(env);
  await page.goto(`/?cohort=${decidable}`);
  await expectVisibleFocus(page.getByLabel('Username or e-mail'));
  await page.keyboard.type(env.product.account.username);
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }));
  await page.keyboard.type(env.product.account.password);
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('row', { name: /E-keyed/ }).getByRole('button', { name: /^Accept/ }));
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('radio', { name: 'good' }));
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByRole('textbox', { name: 'Reason' }));
  await page.keyboard.type('Sharp enough');
  await pressOn(page, dialog.getByRole('button', { name: 'Accept' }));
  await expectVisible(page.getByText('Moved E-keyed to accepted.'));
  await expect.poll(() => page.getByRole('row', { name: /E-keyed/ }).count()).toBe(0);
  expect(pageErrors).toEqual([]);
});

it('adds a user with a role in one cohort', async () => {
  const { page, pageErrors } = await signedIn(env);
  await pressOn(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }));
  await pressOn(page, page.getByRole('button', { name: 'New user' }));
  const dialog = page.getByRole('dialog');
  await expectVisibleFocus(dialog.getByLabel('Name', { exact: true }));
  for (const [name, text] of [
    ['Name', 'Kim Keys'],
    ['Username', 'k.keys'],
    ['E-mail', 'k.keys@example.org'],
  ] as const) {
    await tabTo(page, dialog.getByLabel(name, { exact: true }));
    await page.keyboard.type(text);
  }
  await tabTo(page, dialog.getByRole('textbox', { name: 'Initial password' }));
  await page.keyboard.type('no mouse is needed here');
  await tabTo(page, dialog.getByLabel('Role'));
  await page.keyboard.type('superuser');
  await tabTo(page, dialog.getByRole('checkbox', { name: 'Cohort walked' }));
  await page.keyboard.press('Space');
  await pressOn(page, dialog.getByRole('button', { name: 'Create', exact: true }));
  await expectVisible(page.getByRole('heading', { name: 'Kim Keys' }));
  const role = page.getByRole('table', { name: 'Roles' }).getByRole('row').filter({ hasText: 'superuser' });
  await expectVisible(role.getByRole('link', { name: 'Cohort walked' }));
  expect(pageErrors).toEqual([]);
});

it('imports a workflow after a dry run, from the example of the page', async () => {
  const { page, pageErrors } = await signedIn(env);
  await pressOn(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workflows' }));
  await pressOn(page, page.getByRole('link', { name: 'Import workflow' }));
  await pressOn(page, page.getByRole('button', { name: 'Start with an example' }));
  const file = page.getByRole('textbox', { name: 'Workflow file' });
  await expect.poll(() => file.inputValue()).toMatch(/^label: my_workflow\n/);
  await expectVisibleFocus(file);
  await page.keyboard.press('Control+Enter');
  await expectVisible(page.getByRole('button', { name: 'Import', exact: true }));
  await expectVisible(page.getByText('review → scan_again'));
  expect(await page.getByRole('heading', { name: /fault|error|warning/i }).count()).toBe(0);
  const labels = async () => (await env.product.client.listWorkflows()).workflows.map(({ label }) => label);
  expect(await labels()).not.toContain('my_workflow');
  await pressOn(page, page.getByRole('button', { name: 'Import', exact: true }));
  await expectVisible(page.getByText('Imported revision 1 of my_workflow.'));
  await expectVisible(page.getByRole('heading', { name: 'my_workflow' }));
  expect(await labels()).toContain('my_workflow');
  expect(pageErrors).toEqual([]);
});

it('walks the cells of the matrix with the arrow keys, and opens an experiment', async () => {
  const { page, pageErrors } = await signedIn(env);
  await pressOn(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cohorts' }));
  await pressOn(page, page.getByRole('link', { name: 'Cohort walked' }));
  const cells = page.getByRole('table', { name: 'Subjects and their experiments' });
  const cell = (subject: string, index: number) =>
    cells
      .getByRole('row', { name: new RegExp(subject) })
      .getByRole('link', { name: /^arrived/ })
      .nth(index);
  await tabTo(page, cell('W-1', 0));
  await expectVisible(page.getByRole('group', { name: 'Details of W-1-baseline' }));
  for (const [key, subject, index] of [
    ['ArrowRight', 'W-1', 1],
    ['ArrowDown', 'W-2', 1],
    ['ArrowLeft', 'W-2', 0],
    ['ArrowUp', 'W-1', 0],
    ['ArrowDown', 'W-2', 0],
  ] as const) {
    await page.keyboard.press(key);
    await expectVisibleFocus(cell(subject, index));
  }
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expectVisible(page.getByRole('heading', { name: 'W-2-month-06' }));
  expect(pageErrors).toEqual([]);
});
