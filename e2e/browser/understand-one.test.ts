/** Journey 4: where one experiment is, how it came here, what runs now, and which moves are possible or why not. */
import { beforeAll, expect, it } from 'vitest';
import { signedIn, type Person } from './chromium.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const here = withStudy('understanding');
let person: Person;
let id: number;

beforeAll(async () => {
  id = await here.study.experiment('MC-0041', 'segmenting');
  person = await signedIn(here);
});

const part = (name: string) => person.page.getByRole('region', { name });

it('is found by its label', async () => {
  const { page } = person;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').or(page.getByRole('dialog').getByRole('textbox')).first().fill('mc-00');
  await page.getByRole('option', { name: /MC-0041/ }).click();
  await page.waitForURL(`**/experiments/${id}`);
  await expectVisible(page.getByRole('heading', { name: 'MC-0041' }));
});

it('shows who moved it and why, what runs now, and what each way on waits for', async () => {
  await expectVisible(part('How it came here').getByText('“Moved by the test.”'));
  await expectVisible(part('What runs now').getByRole('link', { name: 'segmentation' }));
  await expectVisible(part('Where it can go').getByText("callbacks['segmentation'].result == 'success'"));
  await expectVisible(part('Where it can go').getByText(/segmentation .*has ended/));
});

it('says why a move is not possible, and offers it once it is', async () => {
  await (await here.study.take()).end('success');
  const ways = part('Where it can go');
  await expectVisible(ways.getByText('not yet'));
  await expectVisible(part('Variables').getByText('1482.5'));
  expect(await ways.getByRole('button', { name: 'Move to checked' }).count()).toBe(0);
  await here.product.client.setExperimentVariable({ params: { id, name: 'grade' }, body: { value: 'good' } });
  await expectVisible(ways.getByRole('button', { name: 'Move to checked' }));
});

it('moves with a reason, which stays on record', async () => {
  const { page, complaints } = person;
  await page.getByRole('button', { name: 'Move to checked' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Borders are fine.');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expectVisible(part('Where it can go').getByText('Nowhere: this is where its workflow ends.'));
  await expectVisible(part('How it came here').getByText('“Borders are fine.”'));
  const { actions } = await here.product.client.getExperimentTimeline({ params: { id } });
  expect(actions[0]).toMatchObject({ freetext: 'Borders are fine.', to: { label: 'checked' } });
  expect(complaints).toEqual([]);
});

it('of two people who move it at once, one is told that the other was first', async () => {
  const { page } = person;
  const contested = await here.study.experiment('contested');
  await page.goto(`/experiments/${contested}`);
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  await here.study.move(contested, 'segmenting');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expectVisible(
    page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/is in segmenting/),
  );
  const { actions } = await here.product.client.getExperimentTimeline({ params: { id: contested } });
  expect(actions.map(({ to }) => to.label)).toEqual(['segmenting', 'arrived']);
});

it('takes a note', async () => {
  const { page } = person;
  await page.goto(`/experiments/${id}`);
  await page.getByRole('textbox', { name: 'A new note' }).fill('Second reading agrees.');
  await page.getByRole('button', { name: 'Add note' }).click();
  // In the list: while it is on its way the text stands in its field.
  await expectVisible(part('Notes').getByRole('listitem').getByText('Second reading agrees.'));
  expect((await here.product.client.listNotes({ params: { id } })).notes).toMatchObject([
    { text: 'Second reading agrees.' },
  ]);
});
