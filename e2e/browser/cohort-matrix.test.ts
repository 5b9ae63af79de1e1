/** A cohort of 10,000 subjects as a matrix: scrolling without blank rows, filters in the URL, the card by keyboard, and CSV. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousViolations, withoutMotion } from './axe.ts';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('matrix');
const total = 10_000;
/** Together with the subject of the study. */
const others = Array.from({ length: total - 1 }, (_, index) => `M-${String(index + 1).padStart(5, '0')}`);
const atOnce = 20;

let person: Person;
beforeAll(async () => {
  const { client } = env.product;
  const cohort_label = env.study.cohort.label;
  for (let start = 0; start < others.length; start += atOnce)
    await Promise.all(
      others.slice(start, start + atOnce).map((label) => client.createSubject({ body: { label, cohort_label } })),
    );
  await env.study.experiment('S-matrix-baseline', 'segmenting');
  await (await env.study.claimRun()).finish('failed', 'no T1 series');
  person = await signedIn(env, withoutMotion);
});

const open = (query = '') => person.page.goto(`/cohorts/${env.study.cohort.id}${query}`);
const footer = (page: Page) => page.getByRole('status').filter({ hasText: /subjects?$/ });
const cells = (page: Page) =>
  page.getByRole('table', { name: 'Subjects and their experiments' }).locator('tbody tr[data-index]');

/** Rows without a label, or cells without a text. */
const blankRows = (page: Page) =>
  cells(page).evaluateAll((rows) =>
    rows.flatMap((row) => {
      const label = row.querySelector('[role=rowheader]')?.textContent ?? '';
      return label.trim() === '' ? [row.getAttribute('data-index')] : [];
    }),
  );

const loaded = async (page: Page) =>
  Number(/[\d,]+/.exec((await footer(page).textContent()) ?? '')?.[0].replace(',', ''));

describe('the matrix of a cohort', () => {
  it('scrolls to the last of 10,000 subjects, and no row is blank after a fetch', async () => {
    const { page, pageErrors } = person;
    await open();
    await expectVisible(page.getByText('10,000 subjects, '));
    await page.getByRole('main').hover();
    for (let before = await loaded(page); before < total; before = await loaded(page)) {
      await page.mouse.wheel(0, 100_000);
      await expect.poll(() => loaded(page)).toBeGreaterThan(before);
      expect(await blankRows(page)).toEqual([]);
      // A row for each pixel that the page can be scrolled by, not only those in view.
      expect(await cells(page).count()).toBeGreaterThan(0);
    }
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 100_000);
        return page.getByRole('row', { name: /M-09999/ }).isVisible();
      })
      .toBe(true);
    expect(pageErrors).toEqual([]);
  });

  it('shows the card of an experiment on focus, and Escape closes it', async () => {
    const { page } = person;
    await open('?attention=any');
    const experiment = cells(page).getByRole('link', { name: /, Failed$/ });
    await experiment.focus();
    const card = page.getByRole('group', { name: 'Details of S-matrix-baseline' });
    await expectVisible(card.getByText('no T1 series'));
    await page.keyboard.press('Tab');
    await expect
      .poll(() =>
        card.getByRole('link', { name: 'Open experiment' }).evaluate((link) => link === document.activeElement),
      )
      .toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => card.count()).toBe(0);
  });

  it('keeps its filters in the URL, and exports exactly the matching subjects', async () => {
    const { page } = person;
    await open();
    await page.getByRole('searchbox', { name: 'Find a subject' }).fill('m-0123');
    await expect.poll(() => footer(page).textContent()).toBe('10 subjects');
    expect(new URL(page.url()).searchParams.get('subject')).toBe('m-0123');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const [, ...lines] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    const labels = lines.map((line) => line.split(',')[0]);
    expect(labels).toEqual(others.filter((label) => label.startsWith('M-0123')));
    const onlyAttention = page.getByRole('switch', { name: /^Only needing attention/ });
    await onlyAttention.check();
    await expectVisible(page.getByText('No matching subjects.'));
  });
});
