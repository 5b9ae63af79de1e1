/** Journey 9: a subject withdraws, and is erased later; every step says what it does, and the pages show it. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('leaving');
let person: Person;

beforeAll(async () => {
  await here.study.experiment('one', 'segmenting');
  person = await signedIn(here);
});

const dialog = () => person.page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

it('withdraws with a reason and a day', async () => {
  const { page } = person;
  await page.goto(`${here.product.url}/subjects/${here.study.subject.id}`);
  await page.getByRole('button', { name: 'Withdraw…' }).click();
  await expectVisible(dialog().getByText('There is no way back.'));
  expect(await button('Withdraw').isDisabled()).toBe(true);
  await dialog().getByLabel('Reason').fill('Moved away');
  await dialog().getByLabel('Withdrawn on').fill('2026-03-01');
  await button('Withdraw').click();
  await expectVisible(page.getByText('Withdrawn on 2026-03-01'));
  await expect.poll(() => page.getByRole('button', { name: 'Withdraw…' }).count()).toBe(0);
});

it('is marked in its cohort', async () => {
  await person.page.goto(`${here.product.url}/cohorts/${here.study.cohort.id}`);
  await expectVisible(
    person.page.getByRole('row').filter({ hasText: here.study.subject.label }).getByText('withdrawn on 2026-03-01'),
  );
});

it('is erased when its label was typed, and not before', async () => {
  const { page } = person;
  await page.goto(`${here.product.url}/subjects/${here.study.subject.id}`);
  await page.getByRole('button', { name: 'Erase…' }).click();
  await dialog().getByLabel('Reason').fill('Asked for by letter');
  await button('Ask for erasure').click();
  await dialog().getByLabel('Label').fill('somebody else');
  expect(await button('Erase').isDisabled()).toBe(true);
  await dialog().getByLabel('Label').fill(here.study.subject.label);
  await button('Erase').click();
  await expectVisible(page.getByRole('heading', { name: `erased-${here.study.subject.id}` }));
  await expectVisible(page.getByText(', and erased'));
  await expect.poll(() => page.getByText(here.study.subject.label).count()).toBe(0);
  expect(person.complaints).toEqual([]);
});
