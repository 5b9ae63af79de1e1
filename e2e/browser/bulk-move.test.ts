/** Moving all 1,240 experiments that match a query. A spreadsheet creates them. */
import { expect, it } from 'vitest';
import { signedIn } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible } from './expect-visible.ts';
import { withSharedProduct } from './with-product.ts';

const env = withSharedProduct();
const number = 1240;
const [label, query] = ['bulk-move', 'workflow:bulk-move state:waiting'];

const workflow = `
label: ${label}
initial: waiting
states:
  - {label: waiting, transitions: [{destination: accepted, by: person}, {destination: rejected, by: person}]}
  - {label: accepted}
  - {label: rejected, outcome: bad}
`;

async function createAll(): Promise<void> {
  const { client } = env.product;
  await client.importWorkflow({ body: { workflow_definition: workflow } });
  const { id: cohort_id } = await client.createCohort({ body: { label } });
  const lines = Array.from({ length: number }, (_, index) => `B-${index},B-${index}-baseline`);
  const { workflows } = await client.listWorkflows({});
  const workflow_id = workflows.find((one) => one.label === label)?.id ?? 0;
  const file = ['subject,experiment', ...lines].join('\n');
  const { id } = await client.createImport({ query: { cohort_id, workflow_id }, file });
  const statusOf = async () => (await client.getImport({ params: { id } })).status;
  await expect.poll(statusOf).toBe('checked');
  await client.applyImport({ params: { id } });
  await expect.poll(statusOf).toBe('finished');
}

it('takes at most six clicks from the list until it runs, and moves each of them', async () => {
  await createAll();
  const { client } = env.product;
  const { page, pageErrors } = await signedIn(env);
  await page.goto(`/experiments?${new URLSearchParams({ q: query }).toString()}`);
  await page.getByRole('rowheader').first().waitFor();
  const clicks = await countClicks(page);
  await page.getByRole('checkbox', { name: 'Select loaded rows' }).click();
  await page.getByRole('button', { name: 'Select all 1,240 that match' }).click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('option', { name: 'accepted' }).click();
  const panel = page.getByRole('complementary', { name: /experiments?$/ });
  await panel.getByRole('textbox', { name: 'Reason' }).click();
  await page.keyboard.type('Accepted by the board');
  await panel.getByRole('button', { name: 'Move 1,240' }).click();
  await expect.poll(() => panel.getByRole('button', { name: 'Move 1,240' }).count()).toBe(0);
  expect(clicks()).toBeLessThanOrEqual(6);
  const last = async () => (await client.listBulkOperations({ query: { own: true, limit: 1 } })).bulk_operations[0];
  await expect.poll(async () => (await last())?.status).toBe('finished');
  expect(await last()).toMatchObject({ kind: 'move', query, done: number, refused: 0 });
  await expectVisible(page.getByText('1,240 moved'));
  expect(pageErrors).toEqual([]);
});
