/** Journey: share the work on Attention. Decide, assign and snooze in a row, and see what is new. */
import { Client } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible, isFocused } from './expect-visible.ts';
import { makeStudy, type Study } from './study.ts';
import { withProduct } from './with-product.ts';

const env = withProduct('sharing');
let person: Person;
let study: Study;

const workflow = `
label: shared_review
initial: visual_qc
states:
  - {label: visual_qc, title: Visual QC, freetext: A person decides., decision: {due: 3d}, transitions: [{destination: done, by: person, title: Accept}]}
  - {label: done, outcome: good}
`;

const create = async (label: string) => {
  const body = { label, subject_id: study.subject.id, workflow_label: 'shared_review', scandate: '2026-03-29' };
  return (await env.product.client.createExperiment({ body })).id;
};

beforeAll(async () => {
  study = await makeStudy(env.product, 'sharing');
  await env.product.client.importWorkflow({ body: { workflow_definition: workflow } });
  for (const label of ['SW-1', 'SW-2', 'SW-3']) await create(label);
  person = await signedIn(env);
});

it('decides in a row in two clicks, without leaving the page', async () => {
  const { page } = person;
  await expectVisible(page.getByRole('heading', { name: 'To decide 3' }));
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Accept: SW-1' }).click();
  const accept = page.getByRole('dialog').getByRole('button', { name: /^Accept/ });
  await expect.poll(() => isFocused(accept)).toBe(true);
  await accept.click();
  await expectVisible(page.getByText('Moved SW-1 to done.'));
  expect(clicks()).toBe(2);
  await expectVisible(page.getByRole('heading', { name: 'To decide 2' }));
});

it('assigns an experiment, and lists those of the user', async () => {
  const { page } = person;
  await page.getByRole('button', { name: 'Assign SW-2' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'User' }).click();
  await page.getByRole('option', { name: /\(you\)$/ }).click();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await expectVisible(page.getByText(/^Assigned SW-2 to /));
  await expectVisible(page.getByRole('button', { name: /^Reassign SW-2/ }));
  await page.goto('/?assignee=me');
  await expectVisible(page.getByRole('row', { name: /SW-2/ }));
  expect(await page.getByRole('row', { name: /SW-3/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Decide next' }).click();
  await expectVisible(page.getByText('1 of 1 in this list'));
});

it('snoozes an experiment with a note, and ends the snooze on its page', async () => {
  const { page, pageErrors } = person;
  await page.goto('/');
  await page.getByRole('button', { name: 'Snooze SW-3' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'For a week' }).click();
  await dialog.getByRole('textbox', { name: 'Note' }).fill('The site answers next week.');
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await expectVisible(page.getByText(/^Snoozed SW-3 until /));
  await expectVisible(page.getByRole('heading', { name: '1 experiment needs attention' }));
  await page.getByRole('link', { name: 'Snoozed 1' }).click();
  await expectVisible(page.getByRole('row', { name: /SW-3.*The site answers next week\./ }));
  await page.getByRole('link', { name: 'SW-3' }).click();
  await page.getByRole('button', { name: 'End the snooze of SW-3' }).click();
  await expectVisible(page.getByText('SW-3 is no longer snoozed.'));
  await page.goto('/');
  await expectVisible(page.getByRole('heading', { name: '2 experiments need attention' }));
  expect(pageErrors).toEqual([]);
});

async function inDatabase(statement: string): Promise<void> {
  const database = new Client({ connectionString: env.product.databaseUrl });
  await database.connect();
  await database.query(statement);
  await database.end();
}

/** As if the user had looked at the list an hour ago. */
const endVisits = () => inDatabase(`update attention_visits set last_at = now() - interval '1 hour'`);

it('marks what is new since the last visit', async () => {
  const { page } = person;
  await endVisits();
  await create('SW-4');
  await page.goto('/');
  await expectVisible(page.getByText(/^\d+ items? (?:is|are) new since /));
  await expectVisible(page.getByRole('row', { name: /SW-4.*New/ }));
  await page.getByRole('link', { name: /^Only new/ }).click();
  await expectVisible(page.getByRole('row', { name: /SW-4/ }));
});

it('shows the first rows of each state, also if more than a page of others come first', async () => {
  const { page } = person;
  const body = { workflow_definition: workflow.replace('label: shared_review', 'label: later_review') };
  await env.product.client.importWorkflow({ body });
  const { id } = await env.product.client.createExperiment({
    body: { label: 'SW-last', subject_id: study.subject.id, workflow_label: 'later_review', scandate: '2026-03-29' },
  });
  await inDatabase(
    `update experiments set resting_since = now() + interval '1 day', version = version + 1 where id = ${id}`,
  );
  for (let number = 5; number < 105; number++) await create(`SW-${number}`);
  await page.goto('/');
  await expectVisible(page.getByRole('heading', { name: 'To decide 104' }));
  await expectVisible(page.getByRole('row', { name: /SW-last/ }).getByRole('button', { name: 'Accept: SW-last' }));
});
