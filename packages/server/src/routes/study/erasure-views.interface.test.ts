/**
 * Saved views that an erasure deletes, and those that it keeps. The canaries of erasure.interface.test.ts cover former labels and IDs.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

/** A withdrawn subject with experiments of these labels. */
async function addSubject(label: string, cohortLabel: string, workflow_label: string, experiments: string[]) {
  const { body } = await server.call('createSubject', { body: { label, cohort_label: cohortLabel } });
  for (const name of experiments)
    await server.call('createExperiment', { body: { label: name, subject_id: body.id, workflow_label } });
  await server.call('withdrawSubject', { params: { id: body.id }, body: { reason: 'moved', date: '2026-03-01' } });
  return body.id as number;
}

async function erase(id: number, label: string): Promise<Record<string, number>> {
  const { body } = await server.call('requestErasure', { params: { id }, body: { reason: 'by letter' } });
  const confirmed = await server.call('eraseSubject', { params: { id }, body: { erasure_id: body.id, label } });
  expect(confirmed.status).toBe(200);
  return confirmed.body.destroyed;
}

it('deletes the views that name the subject or its experiments, and keeps those that name others', async () => {
  const [{ label: cohort }, { label: workflow }] = [await world.cohort(), await world.workflow()];
  const id = await addSubject('MC "41"', cohort, workflow, ['baseline', 'only-here']);
  await addSubject('MC "410"', cohort, workflow, ['baseline']);
  const deleted = [
    String.raw`subject:"mc \"41\""`,
    String.raw`-"MC \"41\"" incident:any`,
    'label:other,ONLY-HERE',
    'label:only-here-2*',
  ];
  const kept = [String.raw`subject:"MC \"410\""`, 'label:baseline', 'only', 'label:only-*', 'cohort:MC', ''];
  for (const [index, query] of [...deleted, ...kept].entries())
    await server.call('createView', { body: { name: `view ${index}`, query } });
  const { views: count } = await erase(id, 'MC "41"');
  const left = await server.sql<{ query: string }>('select query from views order by id');
  expect(left.map(({ query }) => query)).toEqual(kept);
  expect(count).toBe(deleted.length);
});
