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
  await expectVisible(dialog().getByText('1 experiment stops where it is. 1 run ends:'));
  expect(await button('Withdraw').isDisabled()).toBe(true);
  await dialog().getByLabel('Reason').fill('Moved away');
  await dialog().getByLabel('Withdrawn on').fill('2026-03-01');
  await button('Withdraw').click();
  await expectVisible(page.getByRole('heading', { level: 1 }).getByText('Withdrawn 2026-03-01'));
  await expectVisible(page.getByText('“Moved away”'));
  await expectVisible(page.getByRole('row').getByText('Withdrawn 2026-03-01'));
  await expect.poll(() => page.getByRole('button', { name: 'Withdraw…' }).count()).toBe(0);
});

it('marks only the experiments of withdrawn subjects in the list', async () => {
  const { client } = env.product;
  const cohort_label = env.study.cohort.label;
  await client.createSubject({ body: { label: 'S-staying', cohort_label } });
  await client.createExperiment({
    body: { label: 'staying', subject_label: 'S-staying', cohort_label, workflow_label: env.study.workflow.label },
  });
  await person.page.goto(`${env.product.url}/experiments`);
  const row = (label: string) => person.page.getByRole('row').filter({ hasText: label });
  await expectVisible(row('one').getByText('Withdrawn 2026-03-01'));
  await expectVisible(row('S-staying'));
  expect(await row('S-staying').getByText('Withdrawn').count()).toBe(0);
});

it('marks a withdrawn subject in its cohort', async () => {
  await person.page.goto(`${env.product.url}/cohorts/${env.study.cohort.id}`);
  await expectVisible(
    person.page.getByRole('row').filter({ hasText: env.study.subject.label }).getByText('Withdrawn 2026-03-01'),
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
  await expectVisible(page.getByRole('heading', { level: 1 }).getByText('Withdrawn and erased'));
  await expect.poll(() => page.getByText(env.study.subject.label).count()).toBe(0);
  expect(person.pageErrors).toEqual([]);
});
