/** Journey 4: the state, timeline, active runs and next states of one experiment. */
import { beforeAll, expect, inject, it } from 'vitest';
import { connect } from '../connection.ts';
import { signedIn, type Person } from './chromium.ts';
import { countClicks } from './clicks.ts';
import { expectVisible } from './expect-visible.ts';
import { withStudy } from './with-product.ts';

const env = withStudy('understanding');
let person: Person;
let id: number;

beforeAll(async () => {
  id = await env.study.experiment('MC-0041', 'segmenting');
  person = await signedIn(env);
});

const section = (name: string) => person.page.getByRole('region', { name });

it('finds an experiment by its label', async () => {
  const { page } = person;
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('mc-00');
  await page.getByRole('option', { name: /MC-0041/ }).click();
  await page.waitForURL(`**/experiments/${id}`);
  await expectVisible(page.getByRole('heading', { name: 'MC-0041' }));
});

it('finds an experiment by a part of its external ID in two clicks', async () => {
  const { page } = person;
  const { client } = connect(inject('shared'));
  const { system_name } = await client.createExternalSystem({
    body: { system_name: 'archive', url: 'https://archive.example.org' },
  });
  await client.createExternalExperimentLink({
    body: { experiment_id: id, external_system: system_name, external_id: 'XNAT_E00029' },
  });
  await page.goto('/');
  const clicks = await countClicks(page);
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByRole('dialog').getByRole('combobox').fill('0029');
  await page.getByRole('option', { name: /MC-0041.*XNAT_E00029/ }).click();
  await page.waitForURL(`**/experiments/${id}`);
  expect(clicks()).toBe(2);
});

it('shows the reason for a move, the active runs and the conditions of the next states', async () => {
  await expectVisible(section('Timeline').getByText('“Moved by the test.”'));
  await expectVisible(section('Active runs').getByRole('link', { name: 'segmentation' }));
  await expectVisible(section('Next states').getByText("callbacks['segmentation'].result == 'success'"));
  await expectVisible(section('Next states').getByText(/segmentation .*has finished/));
});

it('offers a move only once its condition is met', async () => {
  await (await env.study.claimRun()).finish('success');
  const nextStates = section('Next states');
  await expectVisible(nextStates.getByText('not yet'));
  await expectVisible(section('Variables').getByText('1482.5'));
  await expectVisible(section('Timeline').getByText('Moved by the engine'));
  expect(await nextStates.getByRole('button', { name: 'Move to checked' }).count()).toBe(0);
  await env.product.client.setExperimentVariable({ params: { id, name: 'grade' }, body: { value: 'good' } });
  await expectVisible(nextStates.getByRole('button', { name: 'Move to checked' }));
});

it('moves an experiment with a reason, and shows the reason in the timeline', async () => {
  const { page, pageErrors } = person;
  await page.getByRole('button', { name: 'Move to checked' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Borders are fine.');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expectVisible(section('Next states').getByText('None. This is a final state.'));
  await expectVisible(section('Timeline').getByText('Moved by Coordinator of understanding'));
  await expectVisible(section('Timeline').getByText('“Borders are fine.”'));
  const { actions } = await env.product.client.getExperimentTimeline({ params: { id } });
  expect(actions[0]).toMatchObject({ freetext: 'Borders are fine.', to: { label: 'checked' } });
  expect(pageErrors).toEqual([]);
});

it('shows the time in each state as a bar, and since when if older entries are not loaded', async () => {
  const { page } = person;
  const placed = await env.study.experiment('placed');
  const bar = section('Timeline').getByRole('img', { name: /^Time in each state\. arrived: / });
  await page.goto(`/experiments/${placed}`);
  await expectVisible(section('Timeline').getByText(/^(?:< )?\d+ (?:s|min) since arrival$/));
  await expectVisible(bar);
  for (let count = 0; count < 50; count++)
    await env.product.client.placeExperiment({
      params: { id: placed },
      body: { state: count % 2 === 0 ? 'segmented' : 'arrived', reason: 'Imported twice.' },
    });
  await page.reload();
  await expectVisible(section('Timeline').getByText('Corrected by Coordinator of understanding'));
  await expectVisible(section('Timeline').getByText(/ since \d+ \w+, \d\d:\d\d$/));
  await expectVisible(section('Timeline').getByRole('img', { name: /^Time in each state\. segmented: / }));
  await page.getByRole('button', { name: 'Show older' }).click();
  await expectVisible(section('Timeline').getByText(/ since arrival$/));
  await expectVisible(bar);
});

it('rejects a move if another user has moved the experiment in the meantime', async () => {
  const { page } = person;
  const contested = await env.study.experiment('contested');
  await page.goto(`/experiments/${contested}`);
  await page.getByRole('button', { name: 'Move to segmenting' }).click();
  await env.study.move(contested, 'segmenting');
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
  await expectVisible(
    page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/is in segmenting/),
  );
  const { actions } = await env.product.client.getExperimentTimeline({ params: { id: contested } });
  expect(actions.map(({ to }) => to.label)).toEqual(['segmenting', 'arrived']);
});

it('adds a note and lists it', async () => {
  const { page } = person;
  await page.goto(`/experiments/${id}`);
  await page.getByRole('textbox', { name: 'New note' }).fill('Second reading agrees.');
  await page.getByRole('button', { name: 'Add note' }).click();
  // Looks in the list, because the field contains the text until the note is saved.
  await expectVisible(section('Notes').getByRole('listitem').getByText('Second reading agrees.'));
  expect((await env.product.client.listNotes({ params: { id } })).notes).toMatchObject([
    { text: 'Second reading agrees.' },
  ]);
});
