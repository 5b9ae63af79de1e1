/** Finding experiments with a query: chips, completion, errors, sorting, columns, keys and the export. */
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible, isFocused } from './expect-visible.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('finding');
const names = ['A-1', 'B-2', 'C-3', 'D-4', 'E-5', 'F-6'];

let person: Person;
let study: Study;
beforeAll(async () => {
  const { client } = env.product;
  study = await makeStudy(env.product, 'finding');
  await client.createExternalSystem({ body: { system_name: 'XNAT', url: 'https://xnat.example.org' } });
  for (const [index, name] of names.entries()) {
    const id = await study.experiment(name, index % 2 === 0 ? 'arrived' : 'segmenting');
    await client.addExperimentExternalIds({
      params: { id },
      body: { external_ids: { XNAT: `XNAT_E0${index}029` } },
    });
    await query(`insert into experiment_variables values (${id}, 'scanner', '"${index < 3 ? 'Prisma' : 'Skyra'}"')`);
  }
  person = await signedIn(env);
});

const field = (page: Page) => page.getByRole('combobox', { name: 'Query' });
const shownNames = async (page: Page): Promise<string[]> =>
  page.getByRole('table', { name: 'Experiments' }).getByRole('rowheader').getByRole('link').allTextContents();

async function query<Row extends object>(statement: string): Promise<Row[]> {
  const database = new Client({ connectionString: env.product.databaseUrl });
  await database.connect();
  try {
    return (await database.query<Row>(statement)).rows;
  } finally {
    await database.end();
  }
}

describe('the query field', () => {
  it('finds an experiment by a part of its external ID with one click', async () => {
    const { page } = person;
    await page.goto('/experiments');
    const clicks = await countClicks(page);
    await field(page).click();
    await page.keyboard.type('e03029');
    await page.keyboard.press('Enter');
    await expect.poll(() => shownNames(page)).toEqual(['D-4']);
    expect(clicks()).toBe(1);
    expect(new URL(page.url()).searchParams.get('q')).toBe('e03029');
  });

  it('completes names and values, and shows each term as a chip', async () => {
    const { page } = person;
    await page.goto('/experiments');
    await page.getByRole('rowheader').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('sta');
    await page.getByRole('option', { name: /^state:/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('segmenti');
    await page.getByRole('option', { name: /^segmenting/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit state:segmenting' }).waitFor();
    await page.keyboard.type('var.sc');
    await page.getByRole('option', { name: 'scanner' }).click();
    await page.getByRole('option', { name: 'Skyra' }).click();
    await expect.poll(() => shownNames(page)).toEqual(['D-4', 'F-6']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('state:segmenting var.scanner:Skyra');
  });

  it('turns a chip into text again, and removes it', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'Edit var.scanner:Skyra' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('var.scanner:Skyra');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('var.scanner:Prisma ');
    await expect.poll(() => shownNames(page)).toEqual(['B-2']);
    await page.getByRole('button', { name: 'Remove state:segmenting' }).click();
    await expect.poll(() => shownNames(page)).toEqual(['A-1', 'B-2', 'C-3']);
  });

  it('says which word is wrong, for what the page and what the server can tell', async () => {
    const { page } = person;
    await page.goto('/experiments');
    await field(page).fill('stat:arrived');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('alert').filter({ hasText: 'No filter stat. Did you mean state?' }));
    await field(page).fill('state:arived');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('alert').filter({ hasText: 'No state arived. Did you mean arrived?' }));
    await page.getByRole('button', { name: 'Clear the query' }).click();
    await expect.poll(() => shownNames(page)).toEqual(names);
  });

  it('limits the query to a state with a click on its number', async () => {
    const { page } = person;
    await page.getByRole('button', { name: 'arrived 3' }).click();
    await expect.poll(() => shownNames(page)).toEqual(['A-1', 'C-3', 'E-5']);
    await page.getByRole('button', { name: 'segmenting 3' }).click();
    await expect.poll(() => shownNames(page)).toEqual(['B-2', 'D-4', 'F-6']);
    await page.getByRole('button', { name: 'segmenting 3', pressed: true }).click();
    await expect.poll(() => shownNames(page)).toEqual(names);
  });
});

describe('the table', () => {
  it('sorts by a column, shows chosen columns, and exports what it shows', async () => {
    const { page, pageErrors } = person;
    await page.goto('/experiments?q=var.scanner:Prisma,Skyra');
    await page
      .getByRole('columnheader', { name: 'Experiment', exact: true })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await page.getByRole('button', { name: 'Experiment', exact: true }).click();
    await expect.poll(() => shownNames(page)).toEqual(names.toReversed());
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Callback', 'In state', 'Last change', 'scanner', 'XNAT'])
      await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await expectVisible(page.getByRole('cell', { name: 'XNAT_E02029' }));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = (await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').trim().split('\r\n');
    const rows = await query<{ line: string }>(`
      select concat_ws(',', e.label, s.label, c.label, st.label, '', v.value #>> '{}', l.external_id) as line
      from experiments e join subjects s on s.id = e.subject_id join cohorts c on c.id = e.cohort_id join states st on st.id = e.state_id
        join experiment_variables v on v.experiment_id = e.id and v.name = 'scanner'
        join external_experiment_links l on l.experiment_id = e.id
      order by e.label desc`);
    expect(csv).toEqual([
      'label,subject.label,cohort.label,state.label,withdrawn,variables.scanner,external_ids.XNAT',
      ...rows.map(({ line }) => line),
    ]);
    expect(pageErrors).toEqual([]);
  });

  it('keeps all columns that are chosen before the page is rendered again', async () => {
    const { page } = person;
    await page.goto('/experiments?column=cohort');
    await page.getByRole('button', { name: 'Columns' }).click();
    const items = page.getByRole('menuitemcheckbox');
    await items.filter({ hasText: 'Last change' }).waitFor();
    await items.evaluateAll((all) => {
      for (const name of ['State', 'Callback', 'Last change'])
        all
          .find((item): item is HTMLElement => item instanceof HTMLElement && item.textContent.trim() === name)
          ?.click();
    });
    expect(new URL(page.url()).searchParams.getAll('column').toSorted()).toEqual(['changed', 'cohort', 'run', 'state']);
    await page.keyboard.press('Escape');
  });

  it('opens a row with the keys j, k and Enter, or with a click anywhere in it', async () => {
    const { page } = person;
    await page.goto('/experiments?q=label:B-2,D-4&sort=label&column=cohort&column=state');
    await expect.poll(() => shownNames(page)).toEqual(['B-2', 'D-4']);
    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key);
    await expect.poll(() => isFocused(page.getByRole('link', { name: 'D-4' }))).toBe(true);
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('heading', { name: 'D-4' }));
    await page.goBack();
    await page.getByRole('row', { name: /B-2/ }).getByRole('cell', { name: study.cohort.label }).click();
    await expectVisible(page.getByRole('heading', { name: 'B-2' }));
  });

  it('explains its keys', async () => {
    const { page } = person;
    await page.keyboard.press('?');
    await expectVisible(page.getByRole('dialog').getByText('Next and previous row'));
  });
});

describe('a saved view', () => {
  beforeAll(async () => {
    person = await signedIn(env);
  });

  it('is saved in three clicks, and has its count in the navigation', async () => {
    const { page, pageErrors } = person;
    await page.goto('/experiments?q=state:segmenting&sort=-label');
    await expect.poll(() => shownNames(page)).toEqual(['F-6', 'D-4', 'B-2']);
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Being segmented');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByText('3 experiments match. Saved as the view Being segmented.'));
    expect(clicks()).toBeLessThanOrEqual(3);
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Being segmented 3' }).click();
    await expect.poll(() => shownNames(page)).toEqual(['F-6', 'D-4', 'B-2']);
    expect(pageErrors).toEqual([]);
  });

  it('is found with the palette, like users', async () => {
    const { page } = person;
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Being segmented 3' }).waitFor();
    await page.keyboard.press('Control+k');
    await expect.poll(() => isFocused(page.getByRole('combobox', { name: /^Search/ }))).toBe(true);
    await page.keyboard.type('segmented');
    await expectVisible(page.getByRole('option', { name: /^Being segmented/ }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(env.product.account.username);
    await expectVisible(page.getByRole('option', { name: new RegExp(`User · ${env.product.account.username}`) }));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('being seg');
    await page.getByRole('option', { name: /^Being segmented/ }).click();
    await expect.poll(() => shownNames(page)).toEqual(['F-6', 'D-4', 'B-2']);
  });

  it('can be changed and deleted by its owner', async () => {
    const { page, pageErrors } = person;
    await page.getByRole('button', { name: 'Remove state:segmenting' }).click();
    await expectVisible(page.getByText('Edited since the view Being segmented was saved.'));
    await page.getByRole('button', { name: 'Edit view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('All of them');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'All of them 6' }));
    await page.getByRole('button', { name: 'Edit view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm deletion' }).click();
    await expect.poll(() => page.getByRole('link', { name: /^All of them/ }).count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });
});
