/** The failed run of the state before, in the decisions of GET /attention. */
import { expect, it } from 'vitest';
import { startEngineWorld } from '../../../testing/start-engine-world.ts';

const { server, world } = await startEngineWorld();

const states = `initial: jobs
states:
  - label: jobs
    callbacks:
      - {label: early, function: worker, callback_arguments: {queue: jobs}}
      - {label: late, function: worker, callback_arguments: {queue: jobs}}
    transitions: [{destination: review, condition: "callbacks['early'].result != 'success'"}]
  - label: review
    freetext: Look at both.
    decision: {due: 1d, show: [{variable: motion, title: Motion, unit: mm, max: 1.2}]}
    transitions: [{destination: end, by: person}]
  - {label: end}
`;

/** The second run fails before the first one. */
async function failedInReverse() {
  const workflow_label = await world.importWorkflow(states);
  const cohort = (await server.call('createCohort', { body: { label: world.fresh('cohort') } })).body;
  const labels = { label: world.fresh('subject'), cohort_label: cohort.label };
  const subject = (await server.call('createSubject', { body: labels })).body;
  const body = { label: world.fresh('experiment'), subject_id: subject.id, workflow_label };
  const { id } = (await server.call('createExperiment', { body })).body;
  await world.move(id, 'jobs');
  const late = await world.executionOf(id, 'late');
  await world.finish(late.id, 'failed');
  await world.finish((await world.executionOf(id, 'early')).id, 'failed');
  const items = async () => (await server.call('listAttention', { query: { cohort_id: cohort.id } })).body.items;
  return { id, late, items };
}

it('names the run that failed first, even if it was created later', async () => {
  const { late, items } = await failedInReverse();
  expect(await items()).toMatchObject([
    { what: 'late: no reason given', attempt: late.attempt, execution_id: late.id },
  ]);
});

it('leaves out the error and the attempt of the run if the decision shows values', async () => {
  const { id, late, items } = await failedInReverse();
  await server.sql(
    `update callback_executions set cause = 'No space left', last_error = 'Unexpected exit code: 1' where id = $1`,
    [late.id],
  );
  const about = { cause: 'No space left', error: 'Unexpected exit code: 1' };
  expect(await items()).toMatchObject([{ ...about, what: 'late: No space left' }]);
  const params = { id, name: 'motion' };
  await server.call('setExperimentVariable', { params, body: { value: 2, reason: 'measured' } });
  const what = 'Motion is 2 mm. The limit is 1.2 mm.';
  expect(await items()).toMatchObject([{ what, cause: null, error: null, attempt: null, execution_id: late.id }]);
});
