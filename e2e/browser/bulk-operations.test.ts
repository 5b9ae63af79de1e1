/** Changing many experiments at once: selection, dry run, progress, refusals, and the retry of a group that failed alike. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible } from './expect-visible.ts';
import { claimRun } from './study.ts';
import { withProduct } from './with-product.ts';

const [arrived, unusable, failing] = [60, 5, 28];
const usable = arrived - unusable;

const workflow = `
label: bulk
initial: arrived
states:
  - label: arrived
    outcome: neutral
    transitions:
      - {destination: converting, condition: "experiment.variables['usable'] == true"}
      - {destination: rejected, by: person}
  - label: converting
    title: Converting to NIfTI
    callbacks: [{label: convert, function: bulk}]
    transitions: [{destination: converted, condition: "callbacks['convert'].result == 'success'"}]
  - {label: converted}
  - {label: rejected, outcome: bad}
`;

// Slow enough that an operation still runs when a test looks at its progress.
const env = withProduct('data-bulk', async () => ({ MILEPOST_BULK_PER_SECOND: '1' }));

let person: Person;
beforeAll(async () => {
  const { client } = env.product;
  await client.importWorkflow({ body: { workflow_definition: workflow } });
  const cohort = await client.createCohort({ body: { label: 'Study' } });
  const subject = await client.createSubject({ body: { label: 'S-1', cohort_label: cohort.label } });
  const create = (label: string) =>
    client.createExperiment({ body: { label, subject_id: subject.id, workflow_label: 'bulk' } });
  for (let index = 0; index < failing; index++) {
    const { id } = await create(`failing-${index}`);
    await client.setExperimentVariable({ params: { id, name: 'usable' }, body: { value: true } });
    await client.setExperimentState({ params: { id }, body: { state_label: 'converting' } });
    await (await claimRun(env.product, 'bulk')).finish('failed', 'The converter is not installed');
  }
  for (let index = 0; index < arrived; index++) {
    const { id } = await create(`arrived-${String(index).padStart(2, '0')}`);
    if (index < usable) await client.setExperimentVariable({ params: { id, name: 'usable' }, body: { value: true } });
  }
  person = await signedIn(env, withoutMotion);
});

const panel = (page: Page) => page.getByRole('complementary', { name: /experiments?$/ });
const bar = (page: Page) => page.getByRole('group', { name: 'Selected experiments' });
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

async function openArrived(page: Page): Promise<void> {
  await page.goto('/experiments?q=state:arrived&sort=label');
  await page.getByRole('rowheader', { name: 'arrived-00' }).waitFor();
}

async function statusOfLast(): Promise<string | undefined> {
  const { bulk_operations: all } = await env.product.client.listBulkOperations({ query: { limit: 1 } });
  return all[0]?.status;
}

describe('the selection', () => {
  it('takes single rows, ranges with Shift, and the focused row with the key x', async () => {
    const { page } = person;
    await openArrived(page);
    await box(page, 'arrived-01').click();
    await box(page, 'arrived-04').click({ modifiers: ['Shift'] });
    await expectVisible(bar(page).getByText('4 selected'));
    for (const key of ['j', 'x']) await page.keyboard.press(key);
    await expectVisible(bar(page).getByText('5 selected'));
    await box(page, 'arrived-02').click();
    await expectVisible(bar(page).getByText('4 selected'));
  });

  it('is kept when more rows load, and dropped when the query changes', async () => {
    const { page, pageErrors } = person;
    await openArrived(page);
    await page.getByRole('checkbox', { name: 'Select loaded rows' }).click();
    await expectVisible(bar(page).getByText('50 selected'));
    await page.mouse.wheel(0, 20_000);
    await page.getByRole('rowheader', { name: 'arrived-59' }).waitFor();
    expect(await box(page, 'arrived-59').isChecked()).toBe(false);
    expect(await box(page, 'arrived-49').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Remove state:arrived' }).click();
    await expectVisible(page.getByText(`${arrived + failing} experiments.`));
    expect(await bar(page).count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  it('is not offered to users who may only read', async () => {
    const { client, url } = env.product;
    const account = { username: 'reader', password: 'reads and nothing else' };
    await client.createUser({ body: { ...account, name: 'Reader', email: 'reader@example.org' } });
    await client.assignUserRole({ params: { username: account.username, role_name: 'user' } });
    const { page } = await signedIn({ ...env, product: { ...env.product, url, account } });
    await openArrived(page);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});

describe('the dry run', () => {
  it('says which experiments will be refused and why, and lists them', async () => {
    const { page } = person;
    await openArrived(page);
    await box(page, 'arrived-00').click();
    await page.getByRole('button', { name: `Select all ${arrived} that match` }).click();
    await expectVisible(bar(page).getByText(`All ${arrived} that match are selected`));
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('option', { name: 'Converting to NIfTI' }).click();
    await expectVisible(panel(page).getByText(`${usable} will move`));
    await expectVisible(panel(page).getByText(`${unusable} will be refused`));
    await panel(page)
      .getByRole('button', { name: /^View: The condition is not met/ })
      .click();
    const shown = panel(page).getByRole('link', { name: /^arrived-/ });
    await expect.poll(() => shown.allTextContents()).toEqual([55, 56, 57, 58, 59].map((index) => `arrived-${index}`));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the refused as CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(1 + unusable);
    expect(lines[1]).toContain('arrived-55,refused,condition_not_met');
  });

  it('is stopped when the user chooses another target or closes the drawer', async () => {
    const { page } = person;
    const { client } = env.product;
    await panel(page).getByRole('combobox', { name: 'Move to' }).click();
    await page.getByRole('option', { name: 'rejected' }).click();
    await expectVisible(panel(page).getByText(`${arrived} will move`));
    await panel(page).getByRole('button', { name: 'Cancel' }).click();
    await expect
      .poll(async () => {
        const { bulk_operations: all } = await client.listBulkOperations({ query: { own: true } });
        return all.map(({ state, status }) => [state, status]);
      })
      .toEqual([
        ['rejected', 'stopped'],
        ['converting', 'stopped'],
      ]);
  });

  it('has no serious axe violations in the drawer, wide and narrow', async () => {
    const { page } = person;
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await openArrived(page);
      await box(page, 'arrived-00').click();
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByRole('option', { name: 'Converting to NIfTI' }).click();
      await page.getByText('1 will move').waitFor();
      expect({ width, violations: await seriousViolations(page) }).toEqual({ width, violations: [] });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('a group that failed alike', () => {
  it('is retried in three clicks', async () => {
    const { page, pageErrors } = await signedIn(env);
    await page.getByRole('row', { name: /The converter is not installed/ }).waitFor();
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: `Retry all ${failing} experiments: convert` }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Retry ${failing}` })
      .click();
    await expectVisible(navigation(page).getByRole('link', { name: /^Retry/ }));
    expect(clicks()).toBeLessThanOrEqual(3);
    await expectVisible(page.getByRole('heading', { name: 'No experiments need attention' }));
    await expect.poll(statusOfLast).toBe('finished');
    const { bulk_operations: all } = await env.product.client.listBulkOperations({ query: { limit: 1 } });
    expect(all[0]).toMatchObject({
      kind: 'retry',
      done: failing,
      refused: 0,
      reason: 'Retry after: The converter is not installed',
    });
    expect(pageErrors).toEqual([]);
  });
});

describe('a move of all that match', () => {
  it('runs after six clicks', async () => {
    const { page } = await signedIn(env);
    await openArrived(page);
    const clicks = await countClicks(page);
    await page.getByRole('checkbox', { name: 'Select loaded rows' }).click();
    await page.getByRole('button', { name: `Select all ${arrived} that match` }).click();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('option', { name: 'Converting to NIfTI' }).click();
    await panel(page).getByRole('textbox', { name: 'Reason' }).click();
    await page.keyboard.type('Convert with the new version');
    await panel(page)
      .getByRole('button', { name: `Move ${usable}` })
      .click();
    await expectVisible(panel(page).getByRole('button', { name: 'Pause' }));
    expect(clicks()).toBeLessThanOrEqual(6);
    expect(await statusOfLast()).toBe('running');
    await panel(page).getByRole('button', { name: 'Pause' }).click();
    await expectVisible(panel(page).getByText('Paused.'));
  });

  it('shows its progress on every page, and can be resumed, paused and stopped', async () => {
    const { page, pageErrors } = person;
    await page.goto('/');
    await navigation(page)
      .getByRole('link', { name: /^Move: paused/ })
      .click();
    await expectVisible(page.getByText('Paused.'));
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(statusOfLast).toBe('paused');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expectVisible(page.getByText('Stopped.'));
    await expect.poll(() => navigation(page).getByRole('link', { name: /^Mov/ }).count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  it('is listed, and its refused experiments can be retried', async () => {
    const { page, pageErrors } = person;
    await page.goto('/bulk-operations');
    await page.getByRole('row', { name: /Move to Converting to NIfTI.*Stopped/ }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Move to Converting to NIfTI' }).click();
    await expectVisible(page.getByRole('heading', { name: 'Move to Converting to NIfTI' }));
    await expectVisible(page.getByText('Convert with the new version'));
    await page
      .getByRole('navigation', { name: 'Results' })
      .getByRole('link', { name: /^Refused/ })
      .click();
    await expect
      .poll(() => page.getByRole('table', { name: 'Experiments' }).getByRole('rowheader').count())
      .toBe(unusable);
    await page.getByRole('button', { name: 'Retry the refused' }).click();
    await expectVisible(panel(page).getByText(`${unusable} will be refused`));
    expect(await panel(page).getByRole('button', { name: 'Move 0' }).isDisabled()).toBe(true);
    await panel(page).getByRole('button', { name: 'Close' }).click();
    expect(pageErrors).toEqual([]);
  });
});
