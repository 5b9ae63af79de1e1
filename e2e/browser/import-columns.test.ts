/** The columns of an imported spreadsheet, saved mappings, and the progress of an import that takes long. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { card, choose, prepareImports, storedWith, table, type Csv } from './import-pages.ts';
import { withProduct } from './with-product.ts';

// Slow enough that an import still runs when a test looks at its progress.
const env = withProduct('data-import-columns', async () => ({ MILEPOST_BULK_PER_SECOND: '2' }));
let person: Person;
let cohortId: number;

beforeAll(async () => {
  cohortId = await prepareImports(env.product);
  person = await signedIn(env, withoutMotion);
});

const inCohort = (page: Page) => page.goto(`/imports?cohort=${cohortId}`);

const file: Csv = { name: 'columns.csv', text: 'Kennung,Besuch,Raum\nK-1,T0,7\nK-2,T0,8\n' };

async function map(page: Page, header: string, target: string): Promise<void> {
  await page.getByRole('button', { name: `${header} maps to Ignored` }).click();
  await page.getByRole('menuitemradio', { name: target, exact: true }).click();
  await expectVisible(page.getByRole('button', { name: `${header} maps to ${target}` }));
}

describe('columns with other names', () => {
  it('are mapped with menus, and the check runs again', async () => {
    const { page } = person;
    await inCohort(page);
    await choose(page, file);
    await expectVisible(page.getByText('Choose the column that contains the subject label.'));
    await map(page, 'Kennung', 'Subject label');
    await expectVisible(card(page).getByText('2 lines can be imported'));
    await map(page, 'Besuch', 'Experiment label');
    await page.getByLabel('Template of the experiment label in Besuch').fill('{Kennung}-{Besuch}');
    await page.keyboard.press('Enter');
    await expectVisible(table(page, 'Preview').getByText('K-2-T0'));
    await map(page, 'Raum', 'Variable');
    await page.getByLabel('Name of the variable in Raum').fill('scanner');
    await page.keyboard.press('Enter');
    await expectVisible(table(page, 'Preview').getByRole('columnheader', { name: 'scanner' }));
  });

  it('shows why the server refuses a mapping, and keeps the one before', async () => {
    const { page } = person;
    const template = page.getByLabel('Template of the experiment label in Besuch');
    await template.fill('{Besuch}-{Zimmer}');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('alert').getByText('{Zimmer}'));
    await expect.poll(() => template.inputValue()).toBe('{Kennung}-{Besuch}');
  });

  it('are saved as a mapping, which the next file uses', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'Save this mapping' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Ward list');
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('button', { name: 'Mapping: Ward list (saved)' }));
    await page.getByRole('button', { name: 'Import all 2 lines' }).click();
    await expectVisible(card(page).getByText('2 lines imported'));
    expect((await storedWith(env.product, 'K-1-T0')).experiments).toMatchObject([{ variables: { scanner: 7 } }]);
    await page.getByRole('link', { name: 'Import another file' }).click();
    await choose(page, { name: 'next.csv', text: `${file.text}K-3,T0,9\n` });
    await expectVisible(page.getByRole('button', { name: 'Mapping: Ward list (saved)' }));
    await expectVisible(card(page).getByText('1 line can be imported'));
    await expectVisible(card(page).getByText('2 lines are unchanged'));
  });
});

async function newestImport() {
  const { imports } = await env.product.client.listImports({ query: { limit: 1 } });
  return imports[0];
}

describe('an import that takes long', () => {
  const lines = 60;
  const long: Csv = {
    name: 'long.csv',
    text: ['subject,experiment', ...Array.from({ length: lines }, (_, index) => `L-${index},L-${index}-T0`)].join('\n'),
  };

  it('continues while the user is on another page, and stops on request', async () => {
    const { page, pageErrors } = person;
    await inCohort(page);
    await choose(page, long);
    await page.getByRole('button', { name: `Import all ${lines} lines` }).click();
    await expectVisible(card(page).getByText(new RegExp(`Importing [1-9]\\d* of ${lines} lines`)));
    expect(await seriousViolations(page)).toEqual([]);
    await page.goto('/imports');
    await page.getByRole('row', { name: /long\.csv memory-clinic Importing/ }).waitFor();
    const before = (await newestImport())?.done ?? 0;
    await expect.poll(async () => (await newestImport())?.done).toBeGreaterThan(before);
    await page
      .getByRole('row', { name: /long\.csv/ })
      .getByRole('link', { name: 'long.csv' })
      .click();
    await card(page).getByRole('button', { name: 'Stop' }).click();
    await expectVisible(card(page).getByText('You stopped it.'));
    expect(await seriousViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  it('is continued by importing the same file again', async () => {
    const { page } = person;
    const { done = 0, ready = 0 } = (await newestImport()) ?? {};
    expect([done > 0, ready > 0, done + ready]).toEqual([true, true, lines]);
    await page.getByRole('link', { name: 'Import another file' }).click();
    await choose(page, long);
    await expectVisible(card(page).getByText(`${done} lines are unchanged`));
    await expectVisible(card(page).getByRole('button', { name: `Import the ${ready} correct lines` }));
  });
});
