/**
 * Workflows with their numbers: exact, before and after deltas are folded, and in the scope of the user.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { foldCounts } from '../../store/experiments/state-counts.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const definition = (final: string) => `
initial: review
states:
  - {label: review, decision: {due: 1min}, transitions: [{destination: accepted, by: person}]}
  - {label: accepted, title: ${final}, outcome: good}
`;

async function createExperiments(workflow: string, cohort: string, states: readonly string[]): Promise<void> {
  const subject = await server.call('createSubject', { body: { label: world.fresh('subject'), cohort_label: cohort } });
  for (const state of states) {
    const body = { label: world.fresh('experiment'), subject_id: subject.body.id, workflow_label: workflow };
    const { id } = (await server.call('createExperiment', { body })).body;
    if (state !== 'review') await world.move(id, state);
  }
}

const createCohort = async () => (await server.call('createCohort', { body: { label: world.fresh('cohort') } })).body;

async function rowOf(label: string, as?: string) {
  const { body } = await server.call('listWorkflowRows', as === undefined ? {} : { as });
  return body.workflows.find((workflow: { label: string }) => workflow.label === label);
}

const attention = (experiments: number) => ({ part: 'attention', title: null, experiments });
const accepted = (experiments: number) => ({ part: 'good', title: 'Accepted', experiments });

describe('a workflow in the list', () => {
  it('has its experiments by outcome, not those of other workflows', async () => {
    const [one, other] = [
      await world.importWorkflow(definition('Accepted')),
      await world.importWorkflow(definition('Good')),
    ];
    const cohort = await createCohort();
    await createExperiments(one, cohort.label, ['review', 'review', 'accepted']);
    await createExperiments(other, cohort.label, ['accepted']);
    const expected = { experiments: 3, progress: [accepted(1), attention(2)], last_activity: expect.any(String) };
    expect(await rowOf(one)).toMatchObject(expected);
    await foldCounts(server.database.db);
    expect(await rowOf(one)).toMatchObject(expected);
    expect(await rowOf(other)).toMatchObject({ experiments: 1, progress: [{ part: 'good', title: 'Good' }] });
  });

  it('has the number, time and author of its revision', async () => {
    const label = await world.importWorkflow(definition('Accepted'));
    const body = { workflow_definition: `label: ${label}${definition('Approved')}` };
    const { status } = await server.call('importWorkflow', { body, as: 'admin' });
    expect(status).toBeLessThan(300);
    const { current } = await rowOf(label);
    expect(current).toEqual({
      revision: 2,
      created_at: expect.any(String),
      author: expect.objectContaining({ id: 1 }),
    });
  });

  it('has only the experiments of the cohorts that the user can read', async () => {
    const label = await world.importWorkflow(definition('Accepted'));
    const [own, foreign] = [await createCohort(), await createCohort()];
    await createExperiments(label, own.label, ['accepted']);
    await createExperiments(label, foreign.label, ['review', 'accepted']);
    const as = 'limited';
    await server.addUser(as, []);
    await server.call('assignCohortRole', { params: { username: as, role_name: 'user', cohort_id: own.id } });
    expect(await rowOf(label, as)).toMatchObject({ experiments: 1, progress: [accepted(1)] });
    expect(await rowOf(label)).toMatchObject({ experiments: 3, progress: [accepted(2), attention(1)] });
  });
});
