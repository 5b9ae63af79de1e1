/**
 * Runs of a `state_map` wait for those of single moves. So do the runs that follow from it automatically, as they are as many.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { createUnclaimedSweep, reconcileLeases } from '../runs/recover-lost-work.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const states = (queue: string) => `  - label: convert
    callbacks: [{label: convert, function: worker, callback_arguments: {queue: ${queue}}}]
    transitions: [{destination: check, by: engine}, {destination: again, by: person}]
  - label: check
    callbacks: [{label: check, function: worker, callback_arguments: {queue: ${queue}}}]
    transitions: [{destination: again, by: person}]
  - label: again
    callbacks: [{label: again, function: worker, callback_arguments: {queue: ${queue}}}]
`;

/** Creates a workflow and moves its experiments from `old` to `convert` by importing it again. */
async function moveInBulk(queue: string, count: number) {
  const label = await world.importWorkflow(`initial: old
states:
  - label: old
    transitions: [{destination: convert}]
${states(queue)}`);
  const experiments: number[] = [];
  for (let index = 0; index < count; index++) experiments.push(await world.experimentOf(label));
  const body = {
    workflow_definition: `label: ${label}\ninitial: convert\nstates:\n${states(queue)}`,
    state_map: { old: 'convert' },
  };
  const { status } = await server.call('importWorkflow', { body });
  expect(status).toBeLessThan(300);
  return { label, experiments };
}

const claimOf = async (queue: string): Promise<number> => (await world.claim(queue, { max: 1 }))[0].experiment.id;

const priorityOf = async (experiment: number) => {
  const [job] = await server.sql<{ priority: number; group_id: string }>(
    `select priority, group_id from pgboss.job_common join callback_executions
       on callback_executions.id::text = data ->> 'execution_id' join actions on actions.id = action_id
     where experiment_id = $1 and state = 'created'`,
    [experiment],
  );
  return job?.priority;
};

describe('a single move', () => {
  it('does not wait for a bulk move of its own workflow', async () => {
    const { label, experiments } = await moveInBulk('own', 5);
    const single = await world.experimentOf(label);
    expect(await claimOf('own')).toBe(single);
    expect(experiments).toContain(await claimOf('own'));
  });

  it('does not wait for a bulk move of another workflow', async () => {
    await moveInBulk('shared', 5);
    const single = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: shared}}]
`);
    expect(await claimOf('shared')).toBe(single);
  });

  it('has the higher priority, even of an experiment that a bulk move moved', async () => {
    const { experiments } = await moveInBulk('later', 1);
    const [experiment = 0] = experiments;
    expect(await priorityOf(experiment)).toBe(-1);
    expect((await world.move(experiment, 'again')).status).toBe(200);
    expect(await priorityOf(experiment)).toBe(0);
  });
});

describe('the lower priority of a bulk move', () => {
  it('is inherited by the runs that follow automatically', async () => {
    const { experiments } = await moveInBulk('follow', 1);
    const [experiment = 0] = experiments;
    await world.finish((await world.executionOf(experiment, 'convert')).id, 'success');
    expect(await world.stateOf(experiment)).toBe('check');
    expect(await priorityOf(experiment)).toBe(-1);
  });

  it('is kept by the next attempt', async () => {
    const { experiments } = await moveInBulk('attempts', 1);
    const [experiment = 0] = experiments;
    await world.claim('attempts');
    await world.loseLease((await world.executionOf(experiment, 'convert')).id);
    await reconcileLeases(engineContext(server, 'reconcile'));
    expect(await priorityOf(experiment)).toBe(-1);
  });

  it('is kept if the job is lost', async () => {
    const { experiments } = await moveInBulk('lost', 1);
    const [experiment = 0] = experiments;
    const { id } = await world.executionOf(experiment, 'convert');
    await server.sql(`delete from pgboss.job_common where data ->> 'execution_id' = $1::text`, [id]);
    await server.sql(`update callback_executions set created = now() - interval '2 minutes' where id = $1`, [id]);
    await createUnclaimedSweep()(engineContext(server, 'reconcile'));
    expect(await priorityOf(experiment)).toBe(-1);
  });
});
