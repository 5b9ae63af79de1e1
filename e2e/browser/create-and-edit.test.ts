/** Creating and editing a study in the pages, from an empty installation to the first moved experiment. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn, signIn, visitor, type Person } from './chromium.ts';
import { expectVisible, isFocused } from './expect-visible.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('data-create-and-edit');
let admin: Person;

beforeAll(async () => {
  admin = await signedIn(env, withoutMotion);
});

const workflow = `label: first_study
states:
  - label: arrived
    transitions: [{destination: checked}]
  - label: checked
    outcome: good
`;

const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => dialog(page).getByRole('textbox', { name: label });

/** Fills in the fields and submits with Enter in the first one. */
async function submit(page: Page, texts: Record<string, string>): Promise<void> {
  const labels = Object.keys(texts);
  for (const label of labels) await field(page, label).fill(texts[label] ?? '');
  await field(page, labels[0] ?? '').press('Enter');
}

const file = (text: string) => ({ name: 'workflow.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) });
const chooseFile = (page: Page, text: string) => page.locator('input[type=file]').setInputFiles(file(text));

const subject = async () => {
  const { client } = env.product;
  const [found] = (await client.listSubjects()).subjects;
  return client.getSubject({ params: { id: found?.id ?? 0 } });
};

const cohort = () => env.product.client.getCohortByLabel({ params: { label: 'memory-clinic' } });

const systems = async () => (await env.product.client.listExternalSystems()).external_systems;

/** A user with the form of the cohort. */
const openCohort = async () => {
  const { page } = await signedIn(env, withoutMotion);
  await page.goto('/cohorts');
  await page.getByRole('link', { name: 'memory-clinic', exact: true }).click();
  await button(page, 'Edit').click();
  await field(page, 'Label').waitFor();
  return page;
};

it('leads from an empty installation to the first moved experiment', async () => {
  const { page, pageErrors } = admin;
  await expectVisible(page.getByText('No experiments yet.'));
  await page.getByRole('link', { name: 'Import workflow' }).waitFor();
  expect(await seriousViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Import workflow' }).click();
  await chooseFile(page, workflow);
  await expectVisible(page.getByText('Creates the workflow first_study with 2 states and 1 transition.'));
  await button(page, 'Import').click();
  await expectVisible(page.getByRole('heading', { name: 'first_study' }));

  await page.getByRole('link', { name: 'Needs attention' }).click();
  await expectVisible(page.getByRole('heading', { name: 'Import a workflow Done' }));
  await button(page, 'New cohort').click();
  await submit(page, { Label: 'memory-clinic', Description: 'Patients of the memory clinic' });
  await expectVisible(page.getByRole('heading', { name: 'memory-clinic' }));
  await button(page, 'New subject').click();
  await submit(page, { Label: 'MC-0041' });
  await expectVisible(page.getByRole('heading', { name: 'MC-0041' }));
  await button(page, 'New experiment').click();
  await dialog(page).getByLabel('Scan date').fill('2026-03-02');
  await dialog(page).getByLabel('Scan time').fill('09:30');
  await submit(page, { Label: 'baseline' });
  await expectVisible(page.getByRole('heading', { name: 'baseline' }));
  await page.getByRole('button', { name: 'Move to checked' }).click();
  await dialog(page).getByRole('button', { name: 'Move' }).click();
  await expectVisible(page.getByText('Moved baseline to checked.'));

  const { experiments } = await env.product.client.listExperiments();
  const moved = await env.product.client.getExperiment({ params: { id: experiments[0]?.id ?? 0 } });
  expect(moved).toMatchObject({ label: 'baseline', scandate: '2026-03-02T09:30:00', state: { label: 'checked' } });
  expect(pageErrors).toEqual([]);
});

describe('a form', () => {
  it('shows a rejected label at its field and keeps what was typed', async () => {
    const { page } = admin;
    await page.goto('/cohorts');
    await button(page, 'New cohort').click();
    await expect.poll(() => isFocused(field(page, 'Label'))).toBe(true);
    await submit(page, { Label: 'memory-clinic', Description: 'A second one' });
    await expectVisible(dialog(page).getByText('Another cohort has this label.'));
    expect(await field(page, 'Label').getAttribute('aria-invalid')).toBe('true');
    expect(await dialog(page).getByRole('alert').count()).toBe(0);
    expect(await field(page, 'Description').inputValue()).toBe('A second one');
  });

  it('closes with Escape and returns the focus to its button', async () => {
    const { page } = admin;
    await page.goto('/cohorts');
    await button(page, 'New cohort').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(field(page, 'Label'))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(button(page, 'New cohort'))).toBe(true);
  });
});

describe('editing', () => {
  it('changes and clears the fields of a subject', async () => {
    const { page } = admin;
    const { id } = await subject();
    await page.goto(`/subjects/${id}`);
    await button(page, 'Edit').click();
    await expect.poll(() => isFocused(field(page, 'Label'))).toBe(true);
    await dialog(page).getByLabel('Date of birth').fill('1950-12-31');
    await submit(page, { Label: 'MC-0042' });
    await expectVisible(page.getByRole('heading', { name: 'MC-0042' }));
    await expectVisible(page.getByText('1950-12-31'));
    await button(page, 'Edit').click();
    await dialog(page).getByLabel('Date of birth').fill('');
    await submit(page, { Label: 'MC-0041' });
    await expectVisible(page.getByText('date of birth unknown'));
    expect(await subject()).toMatchObject({ label: 'MC-0041', date_of_birth: null });
  });

  it('changes the scan date of an experiment and keeps its label', async () => {
    const { page } = admin;
    await page.goto('/experiments');
    await page.getByRole('link', { name: 'baseline' }).click();
    await button(page, 'Edit').click();
    const day = dialog(page).getByLabel('Scan date');
    expect(await day.inputValue()).toBe('2026-03-02');
    // A date input is empty until the date is complete.
    for (const typed of ['', '2026-03-02']) await day.fill(typed);
    expect(await dialog(page).getByLabel('Scan time').inputValue()).toBe('09:30');
    await dialog(page).getByLabel('Scan time').fill('');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('Saved experiment baseline.'));
    const [experiment] = (await env.product.client.listExperiments()).experiments;
    const saved = await env.product.client.getExperiment({ params: { id: experiment?.id ?? 0 } });
    expect(saved).toMatchObject({ label: 'baseline', scandate: '2026-03-02T00:00:00' });
  });

  it('creates and renames an external system', async () => {
    const { page } = admin;
    await page.goto('/external_systems');
    await button(page, 'New external system').click();
    await submit(page, { Name: 'Archive', URL: 'https://xnat.example.org' });
    await button(page, 'Edit Archive').click();
    await submit(page, { Name: 'XNAT' });
    await expectVisible(page.getByRole('rowheader', { name: 'XNAT' }));
  });

  it('adds, changes and removes an external ID of a subject', async () => {
    const { page } = admin;
    const { id } = await subject();
    await page.goto(`/subjects/${id}`);
    await button(page, 'Add external ID').click();
    await submit(page, { 'External ID': 'XNAT_S00041' });
    await expectVisible(page.getByRole('main').getByText('XNAT_S00041'));
    await button(page, 'Edit external ID in XNAT').click();
    await submit(page, { 'External ID': 'XNAT_S00042' });
    await expectVisible(page.getByRole('main').getByText('XNAT_S00042'));
    expect((await subject()).external_ids).toEqual({ XNAT: 'XNAT_S00042' });
    await button(page, 'Edit external ID in XNAT').click();
    await button(page, 'Remove').click();
    await page.getByRole('main').getByText('XNAT_S00042').waitFor({ state: 'detached' });
    expect((await subject()).external_ids).toEqual({});
  });
});

describe('two users who edit the same cohort', () => {
  it('the second one sees the value of the first before overwriting it', async () => {
    const [first, second] = [await openCohort(), await openCohort()];
    await submit(first, { Label: 'memory-clinic', Description: 'Saved by the first user' });
    await dialog(first).waitFor({ state: 'detached' });
    await submit(second, { Label: 'memory-clinic', Description: 'Saved by the second user' });
    const conflict = dialog(second).getByRole('alert');
    await expectVisible(conflict.getByText('Another user changed this while you edited it.'));
    await expectVisible(conflict.getByText('Saved by the first user'));
    expect(await seriousViolations(second)).toEqual([]);
    expect(await field(second, 'Description').inputValue()).toBe('Saved by the second user');
    expect((await cohort()).description).toBe('Saved by the first user');
    await button(second, 'Overwrite').click();
    await dialog(second).waitFor({ state: 'detached' });
    expect((await cohort()).description).toBe('Saved by the second user');
  });

  it('changes of different fields are both saved', async () => {
    const [first, second] = [await openCohort(), await openCohort()];
    await submit(first, { Label: 'memory-clinic', Description: 'Patients of 2026' });
    await dialog(first).waitFor({ state: 'detached' });
    await submit(second, { Label: 'memory-clinic-2026' });
    await dialog(second).waitFor({ state: 'detached' });
    const params = { label: 'memory-clinic-2026' };
    const saved = await env.product.client.getCohortByLabel({ params });
    expect(saved.description).toBe('Patients of 2026');
    await env.product.client.updateCohort({ params: { id: saved.id }, body: { label: 'memory-clinic' } });
  });
});

describe('importing a workflow', () => {
  it('shows a fault with its line and column, and selects it in the text', async () => {
    const { page } = admin;
    await page.goto('/workflows');
    await page.getByRole('link', { name: 'Import workflow' }).click();
    await chooseFile(page, workflow.replace('destination: checked', 'destination: cheked'));
    const faults = page.getByRole('main').getByRole('alert');
    await expectVisible(faults.getByText('"cheked" is not a state of this file. Did you mean "checked"?'));
    expect(await seriousViolations(page)).toEqual([]);
    await faults.getByRole('button', { name: 'Line 4, column 33' }).click();
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe('cheked}]');
    await page.getByRole('textbox', { name: 'Workflow file' }).fill(workflow);
    await button(page, 'Check').click();
    await expectVisible(page.getByText('already has this definition'));
    expect(await button(page, 'Import').isDisabled()).toBe(true);
  });

  it('asks for the state map if a revision removes a state that has experiments', async () => {
    const { page, pageErrors } = admin;
    await page.goto('/workflows');
    await page.getByRole('link', { name: 'first_study' }).click();
    await page.getByRole('link', { name: 'Import a new revision' }).click();
    const text = page.getByRole('textbox', { name: 'Workflow file' });
    expect(await text.inputValue()).toBe(workflow);
    await text.fill(workflow.replaceAll('checked', 'approved'));
    await button(page, 'Check').click();
    await expectVisible(page.getByText('1 state added, 1 state retired'));
    expect(await button(page, 'Import').isDisabled()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('combobox', { name: '1 experiment in checked moves to' }).click();
    await page.getByRole('option', { name: 'approved' }).click();
    await button(page, 'Import').click();
    await expectVisible(page.getByText('Imported revision 2 of first_study.'));
    const { experiments } = await env.product.client.listExperiments({ query: { state: 'approved' } });
    expect(experiments.map(({ label }) => label)).toEqual(['baseline']);
    expect(pageErrors).toEqual([]);
  });

  it('imports a configuration after its dry run', async () => {
    const { page } = admin;
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('textbox', { name: 'Configuration file' }).fill(`external_systems:
  - {system_name: OSF, url: "https://osf.example.org"}
  - {system_name: XNAT, url: "https://archive.example.org"}
`);
    await button(page, 'Check').click();
    await expectVisible(page.getByText('Added OSF'));
    await page.getByRole('radio', { name: 'Also overwrite existing entries' }).check();
    await expectVisible(page.getByText('Added or changed OSF, XNAT'));
    expect((await systems()).map(({ url }) => url)).toEqual(['https://xnat.example.org']);
    await button(page, 'Import').click();
    await expectVisible(page.getByText('Imported 2 entries.'));
    expect((await systems()).map(({ url }) => url)).toEqual(['https://archive.example.org', 'https://osf.example.org']);
  });
});

it('shows no buttons to users without the permissions', async () => {
  const account = { username: 'reader', password: 'reads and nothing else' };
  await env.product.client.createUser({ body: { ...account, name: 'Reader', email: 'reader@example.org' } });
  const { page } = await visitor(env);
  await page.goto('/');
  await signIn(page, account);
  const { id } = await cohort();
  const { id: subjectId } = await subject();
  for (const [path, shows] of [
    ['/workflows', 'first_study'],
    ['/workflows/1', 'arrived'],
    ['/cohorts', 'memory-clinic'],
    [`/cohorts/${id}`, 'MC-0041'],
    [`/subjects/${subjectId}`, 'baseline'],
    ['/experiments', 'baseline'],
    ['/external_systems', 'XNAT'],
  ] as const) {
    await page.goto(path);
    await expectVisible(page.getByRole('main').getByText(shows));
    const offered = page.getByRole('main').getByText(/^(?:New|Edit|Import|Add external)/);
    expect({ path, offered: await offered.allInnerTexts() }).toEqual({ path, offered: [] });
  }
});
