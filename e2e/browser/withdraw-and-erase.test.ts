/** Journey 9: withdrawing a subject and erasing it later. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('leaving');
let person: Person;

beforeAll(async () => {
  await env.study.experiment('one', 'segmenting');
  person = await signedIn(env);
});

const dialog = () => person.page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

it('withdraws a subject with a reason and a date', async () => {
  const { page } = person;
  await page.goto(`${env.product.url}/subjects/${env.study.subject.id}`);
  await page.getByRole('button', { name: 'Withdraw…' }).click();
  await expectVisible(dialog().getByText('You cannot undo a withdrawal.'));
  expect(await button('Withdraw').isDisabled()).toBe(true);
  await dialog().getByLabel('Reason').fill('Moved away');
  await dialog().getByLabel('Withdrawn on').fill('2026-03-01');
  await button('Withdraw').click();
  await expectVisible(page.getByText('Withdrawn on 2026-03-01'));
  await expect.poll(() => page.getByRole('button', { name: 'Withdraw…' }).count()).toBe(0);
});

it('marks a withdrawn subject in its cohort', async () => {
  await person.page.goto(`${env.product.url}/cohorts/${env.study.cohort.id}`);
  await expectVisible(
    person.page.getByRole('row').filter({ hasText: env.study.subject.label }).getByText('withdrawn on 2026-03-01'),
  );
});

it('erases a subject only after the user types its label', async () => {
  const { page } = person;
  await page.goto(`${env.product.url}/subjects/${env.study.subject.id}`);
  await page.getByRole('button', { name: 'Erase…' }).click();
  await dialog().getByLabel('Reason').fill('Requested by letter');
  await button('Request erasure').click();
  await dialog().getByLabel('Label').fill('another label');
  expect(await button('Erase').isDisabled()).toBe(true);
  await dialog().getByLabel('Label').fill(env.study.subject.label);
  await button('Erase').click();
  await expectVisible(page.getByRole('heading', { name: `erased-${env.study.subject.id}` }));
  await expectVisible(page.getByText(', erased'));
  await expect.poll(() => page.getByText(env.study.subject.label).count()).toBe(0);
  expect(person.pageErrors).toEqual([]);
});
