/** Importing a spreadsheet: upload, faults, the import itself, the same file again, and files that cannot be read. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible } from './expect-visible.ts';
import { card, choose, download, prepareImports, storedWith, table, type Csv } from './import-pages.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('data-import');
let person: Person;
let cohortId: number;

beforeAll(async () => {
  cohortId = await prepareImports(env.product);
  person = await signedIn(env, withoutMotion);
});

const inCohort = (page: Page) => page.goto(`/imports?cohort=${cohortId}`);

const label = (index: number) => `MC-${String(index).padStart(4, '0')}`;
const subjects = Array.from({ length: 200 }, (_, index) => label(index + 1));
const monthly: Csv = {
  name: 'memory-clinic_2026-11.csv',
  text: [
    'subject;visit;scan_date;xnat;var.scanner;ward',
    ...subjects.map((subject, index) => `${subject};baseline;02.11.2025;XNAT_E${index};prisma-1;N2`),
  ].join('\r\n'),
};

const faulty: Csv = {
  name: 'faulty.csv',
  text: [
    'subject,experiment,scan_date,state,xnat',
    'MC-0001,MC-0001-month-12,31.02.2026,,',
    'MC-0002,MC-0002-month-12,2025-11-02,Visual QC,XNAT_N2',
    ',MC-0003-month-12,,,',
    'MC-0004,MC-0004-month-12,,visual_q,XNAT_E7',
  ].join('\n'),
};

describe('without imports', () => {
  it('the page explains what can be imported, and its template has no faults', async () => {
    const { page } = person;
    await page.goto('/imports');
    await expectVisible(page.getByText('No imports yet.'));
    expect(await seriousViolations(page)).toEqual([]);
    const template = await download(page, 'Download the template');
    expect(template).toContain('subject,date_of_birth,experiment,scan_date,state,scans,XNAT,var.scanner\r\n');
    await inCohort(page);
    await choose(page, { name: 'template.csv', text: template });
    await expectVisible(card(page).getByText('2 lines can be imported'));
    expect(await table(page, 'Faults').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row', { name: /template\.csv.*Cancelled/ }).waitFor();
  });

  it('is only offered to users who can add subjects', async () => {
    const { client, url } = env.product;
    const account = { username: 'reader', password: 'reads and nothing else' };
    await client.createUser({ body: { ...account, name: 'Reader', email: 'reader@example.org' } });
    await client.assignUserRole({ params: { username: account.username, role_name: 'user' } });
    const { page } = await signedIn({ ...env, product: { ...env.product, url, account } });
    await expectVisible(page.getByRole('link', { name: 'External systems' }));
    expect(await page.getByRole('link', { name: 'Imports' }).count()).toBe(0);
    for (const [path, what] of [
      ['/imports', 'spreadsheets'],
      ['/imports/new', 'spreadsheets'],
      ['/workflows/import', 'workflows'],
      ['/configuration', 'configuration files'],
    ]) {
      await page.goto(path ?? '');
      await expectVisible(page.getByText(`You cannot import ${what}.`));
      expect(await seriousViolations(page)).toEqual([]);
    }
  });

  it('chooses the cohort for a user who can import into one', async () => {
    const { client, url } = env.product;
    const account = { username: 'coordinator', password: 'coordinates one cohort' };
    const { username } = account;
    await client.createUser({
      body: { ...account, name: 'Coordinator', email: 'coordinator@example.org', all_cohorts: false },
    });
    await client.assignCohortRole({ params: { username, role_name: 'superuser', cohort_id: cohortId } });
    const { page } = await signedIn({ ...env, product: { ...env.product, url, account } });
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('link', { name: 'Import a spreadsheet' }).click();
    await choose(page, { name: 'one.csv', text: 'subject,experiment,state\nMC-0901,e1,accepted\nMC-0902,e1,\n' });
    await expectVisible(page.getByText('Imports into the cohort memory-clinic.'));
    await expectVisible(table(page, 'Faults').getByRole('row', { name: /^2 state accepted .*state_override/ }));
    await expectVisible(card(page).getByText('1 line can be imported'));
  });
});

describe('a spreadsheet with 200 subjects, experiments and external IDs', () => {
  it('is imported with at most six clicks from the start page', async () => {
    const { page, pageErrors } = await signedIn(env);
    const clicks = await countClicks(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('link', { name: 'Import a spreadsheet' }).click();
    await choose(page, monthly);
    await page.getByRole('option', { name: 'memory-clinic' }).click();
    await page.getByRole('button', { name: 'Import all 200 lines' }).click();
    await expectVisible(card(page).getByText('200 lines imported'));
    expect(clicks()).toBeLessThanOrEqual(6);
    const { experiments, states } = await storedWith(env.product, 'cohort:memory-clinic');
    expect(states).toMatchObject([{ state: { label: 'arrived' }, experiments: 200 }]);
    expect(experiments[0]).toMatchObject({
      label: 'MC-0001-baseline',
      scandate: '2025-11-02T00:00:00',
      external_ids: { XNAT: 'XNAT_E0' },
      variables: { scanner: 'prisma-1' },
    });
    expect(pageErrors).toEqual([]);
  });

  it('changes nothing when it is imported again', async () => {
    const { page } = person;
    await inCohort(page);
    expect(await page.getByRole('combobox', { name: 'Cohort' }).inputValue()).toBe('memory-clinic');
    expect(await seriousViolations(page)).toEqual([]);
    await choose(page, monthly);
    await expectVisible(card(page).getByText('Nothing changes'));
    await expectVisible(card(page).getByText('200 lines are unchanged'));
    expect(
      await card(page)
        .getByRole('button', { name: /^Import/ })
        .count(),
    ).toBe(0);
    await expect.poll(() => table(page, 'Preview').getByText('Unchanged').count()).toBe(5);
  });
});

describe('a spreadsheet with faults', () => {
  it('shows each fault with its line, column and value', async () => {
    const { page, pageErrors } = person;
    await inCohort(page);
    await choose(page, faulty);
    await expectVisible(card(page).getByText('3 lines have faults'));
    const faults = table(page, 'Faults');
    for (const name of [
      /^2 scan_date 31\.02\.2026 Not a date/,
      /^4 subject empty A subject label is required/,
      /^5 state visual_q .*visual_qc/,
      /^5 xnat XNAT_E7 XNAT_E7 in XNAT already belongs to experiment MC-0008-baseline of subject MC-0008/,
    ])
      await expectVisible(faults.getByRole('row', { name }));
    const lines = (await download(page, 'Download faults as CSV')).trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain('2,scan_date,31.02.2026,Not a date.');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect({ width, violations: await seriousViolations(page) }).toEqual({ width, violations: [] });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(pageErrors).toEqual([]);
  });

  it('shows the faults of one column', async () => {
    const { page } = person;
    await page.getByRole('link', { name: '1 in xnat' }).click();
    await expect.poll(() => table(page, 'Faults').getByRole('rowheader').allTextContents()).toEqual(['xnat']);
    await page.getByRole('link', { name: 'Show all columns' }).click();
    await expect.poll(() => table(page, 'Faults').getByRole('rowheader').count()).toBe(4);
  });

  it('imports the correct lines, and gives back the others', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'Import the 1 correct line' }).click();
    await expectVisible(card(page).getByText('1 line imported'));
    await expectVisible(card(page).getByText('3 lines with faults were skipped'));
    expect(await seriousViolations(page)).toEqual([]);
    const { experiments } = await storedWith(env.product, 'month-12');
    expect(experiments).toMatchObject([{ label: 'MC-0002-month-12', state: { label: 'visual_qc' } }]);
    const text = await download(page, 'Download the faulty lines as CSV');
    expect(text).toBe(`\uFEFF${faulty.text.split('\n').toSpliced(2, 1).join('\r\n')}\r\n`);
    await page.getByRole('link', { name: 'Open the cohort' }).click();
    await expectVisible(page.getByRole('heading', { name: 'memory-clinic' }));
  });

  it('is checked again after it was fixed, with the same cohort', async () => {
    const { page } = person;
    await inCohort(page);
    await choose(page, faulty);
    await page.getByRole('link', { name: 'Fix the file and check again' }).click();
    await choose(page, { name: 'fixed.csv', text: 'subject,experiment\nMC-0003,MC-0003-month-12\n' });
    await expectVisible(page.getByRole('heading', { name: 'Import fixed.csv' }));
    await expectVisible(card(page).getByText('1 line can be imported'));
    await page.goto('/imports');
    await page.getByRole('row', { name: /fixed\.csv memory-clinic Checked/ }).waitFor();
    await page.getByRole('row', { name: /faulty\.csv memory-clinic Cancelled/ }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });
});

/** Drops a file at a position, as from the desktop. */
async function drop(page: Page, path: string, { x, y }: { x: number; y: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
}

describe('a file on the disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is uploaded when it is dropped on the area', async () => {
    const { page } = person;
    const path = join(folder, 'dropped.csv');
    await writeFile(path, 'subject\nMC-0900\n');
    await inCohort(page);
    const area = await page.getByLabel('File', { exact: true }).boundingBox();
    await drop(page, path, { x: (area?.x ?? 0) + 20, y: (area?.y ?? 0) + 20 });
    await expectVisible(page.getByRole('heading', { name: 'Import dropped.csv' }));
    await expectVisible(card(page).getByText('1 line can be imported'));
  });

  it('does not replace the page when it is dropped elsewhere', async () => {
    const { page } = person;
    await inCohort(page);
    await page.getByLabel('File', { exact: true }).waitFor();
    const prevented = await page.evaluate(() =>
      ['h1', 'input[type=file]'].map((selector) => {
        const event = new DragEvent('drop', { bubbles: true, cancelable: true });
        document.querySelector(selector)?.dispatchEvent(event);
        return event.defaultPrevented;
      }),
    );
    expect(prevented).toEqual([true, false]);
  });

  it('must be chosen again if it has changed', async () => {
    const { page } = person;
    const path = join(folder, 'changing.csv');
    await writeFile(path, 'experiment\n');
    await page.goto('/imports/new');
    await choose(page, path);
    await expectVisible(page.getByText('Choose a cohort to upload it.'));
    await writeFile(path, 'subject,experiment\nMC-0005,MC-0005-month-12\n');
    await page.getByRole('option', { name: 'healthy-ageing' }).click();
    await expectVisible(page.getByText('The file has changed. Choose it again.'));
    await choose(page, path);
    await expectVisible(card(page).getByText('1 line can be imported'));
  });
});

describe('a file in another form', () => {
  it('in Windows-1252 is read after one more click', async () => {
    const { page } = person;
    await inCohort(page);
    const text = 'subject;experiment\nMüller-1;Müller-1-Prüfung\n';
    await choose(page, { name: 'ansi.csv', text, encoding: 'latin1' });
    await expectVisible(page.getByRole('alert').getByText('not UTF-8'));
    await page.getByRole('button', { name: 'Read it as Windows-1252' }).click();
    await expectVisible(page.getByText('1 line and a header, semicolon separated, Windows-1252.'));
    await expectVisible(table(page, 'Preview').getByText('Müller-1-Prüfung'));
    await page.getByRole('button', { name: 'Import the line' }).click();
    await expectVisible(card(page).getByText('1 line imported'));
    expect((await storedWith(env.product, 'Prüfung')).experiments).toMatchObject([{ label: 'Müller-1-Prüfung' }]);
  });

  it('that is a workbook is not uploaded', async () => {
    const { page } = person;
    await inCohort(page);
    await choose(page, { name: 'study.xlsx', text: 'PK' });
    await expectVisible(page.getByText('A workbook cannot be imported. Save it as CSV, and choose the CSV file.'));
  });
});
