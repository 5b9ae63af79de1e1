/** A user reads the file that defines a workflow, its revisions and what each changed, and copies and downloads the file. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, inject, it } from 'vitest';
import { connect } from '../connection.ts';
import { seriousViolations } from './axe.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('defined');
let person: Person;
let workflowId: number;

const label = 'T1/T2 defined';
const definition = (title: string) => `# ${title} <b>not markup</b>
label: ${label}
initial: arrived
states:
  - {label: arrived, title: ${title}, transitions: [{destination: checked}]}
  - {label: checked, freetext: ${'A long text on one line. '.repeat(12)}, transitions: [{destination: done}]}
  - {label: done}
`;
const importWorkflow = (title: string) =>
  connect(inject('shared')).client.importWorkflow({ body: { workflow_definition: definition(title) } });

beforeAll(async () => {
  await importWorkflow('Arrived');
  await importWorkflow('At the archive');
  workflowId = (await env.product.client.getWorkflowByLabel({ params: { label } })).id;
  person = await signedIn(env, { permissions: ['clipboard-read', 'clipboard-write'] });
});

it('shows the current file from the page of the workflow, and copies and downloads it unchanged', async () => {
  const { page, pageErrors } = person;
  await page.goto(`/workflows/${workflowId}`);
  await page.getByRole('link', { name: 'Definition' }).click();
  await expectVisible(page.getByText('Revision 2 (current)'));
  const file = page.getByRole('group', { name: 'Definition' });
  expect(await file.innerText()).toContain('# At the archive <b>not markup</b>');
  expect(await page.getByRole('link', { name: 'Import a new revision' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Copy' }).click();
  await expectVisible(page.getByText('Copied the definition.'));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(definition('At the archive'));

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('T1-T2-defined-2.yaml');
  expect(readFileSync(await download.path(), 'utf8')).toBe(definition('At the archive'));
  expect(pageErrors).toEqual([]);
});

it('numbers the lines, which scroll in the file instead of the page and are copied without their numbers', async () => {
  const { page } = person;
  await page.goto(`/workflows/${workflowId}/definition`);
  const file = page.getByRole('group', { name: 'Definition' });
  await file.waitFor();
  const lines = definition('At the archive').trimEnd().split('\n');
  await expectVisible(page.getByText(lines.map((_, index) => index + 1).join('\n'), { exact: true }));
  expect(await file.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  const selected = await page.evaluate(() => {
    window.getSelection()?.selectAllChildren(document.querySelector('main') ?? document.body);
    return String(window.getSelection());
  });
  expect(selected).toContain(`label: ${label}`);
  expect(selected).not.toMatch(/^\d+$/m);
});

it('shows what a revision changed, and an earlier revision', async () => {
  const { page } = person;
  await page.goto(`/workflows/${workflowId}/definition`);
  await page.getByRole('link', { name: 'Changes since revision 1' }).click();
  const changes = page.getByRole('group', { name: 'Changes' });
  await expectVisible(changes);
  expect(await changes.innerText()).toMatch(/Removed:\s+# Arrived <b>[\s\S]*Added:\s+# At the archive <b>/);

  await page.getByRole('link', { name: 'Revision 1', exact: true }).click();
  const file = page.getByRole('group', { name: 'Definition' });
  await expectVisible(file.getByText('# Arrived <b>not markup</b>'));
  await expectVisible(page.getByRole('link', { name: 'Revision 2' }));
  expect(await page.getByRole('link', { name: /^Changes since/ }).count()).toBe(0);
});

it('shows a new revision without reloading the page, to a user who gets the events of workflows', async () => {
  const { page } = await signedIn({ ...env, product: connect(inject('shared')) });
  await page.goto(`/workflows/${workflowId}/definition`);
  await expectVisible(page.getByText('Revision 2 (current)'));
  await importWorkflow('In the archive');
  await expectVisible(page.getByText('Revision 3 (current)'));
  await expectVisible(page.getByRole('link', { name: 'Revision 3', exact: true }));
  await page.getByRole('link', { name: 'Import a new revision' }).click();
  await expectVisible(page.getByRole('heading', { name: `Import a new revision of ${label}` }));
});

it('asks before a page with a changed file is left', async () => {
  const { page } = await signedIn({ ...env, product: connect(inject('shared')) });
  const [dialog, heading] = [page.getByRole('dialog'), page.getByRole('heading', { name: 'Cohorts' })];
  const text = page.getByRole('textbox', { name: 'Workflow file' });
  const cohorts = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cohorts' });
  await page.goto(`/workflows/import?workflow=${workflowId}`);
  await text.waitFor();
  await cohorts.click();
  await expectVisible(heading);
  await page.goBack();
  await text.fill(definition('Edited'));
  await cohorts.click();
  await expectVisible(dialog.getByText('You lose the changes to the file.'));
  expect(await seriousViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await text.inputValue()).toBe(definition('Edited'));
  await cohorts.click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expectVisible(heading);
});

it('says that a revision does not exist', async () => {
  const { page } = person;
  await page.goto(`/workflows/${workflowId}/definition?revision=99`);
  await expectVisible(page.getByText('revision 99 of this workflow', { exact: false }));
});
