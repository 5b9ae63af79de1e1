/**
 * Which events and stored responses an erasure clears.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** A subject with an experiment that has moved, and a label that JSON escapes. */
async function makeSubject() {
  const queue = world.fresh('queue').replace(' ', '_');
  const experiment = await world.experimentIn(pulledWorkflow(queue));
  const { body } = await server.call('getExperiment', { params: { id: experiment } });
  const { id } = body.subject as { id: number };
  const label = `"${id}" \\ a/b \\" é\\`;
  await server.call('updateSubject', { params: { id }, body: { label } });
  const [claim] = await world.claim(queue);
  await world.reportWithSecret(claim, { status: 'finished', result: 'success', result_values: { x: 'secret' } });
  return { id, label, experiment, execution: claim.execution.id as number };
}

async function erase({ id, label }: { id: number; label: string }) {
  await server.call('withdrawSubject', { params: { id }, body: { reason: 'moved away', date: '2026-03-01' } });
  const { body } = await server.call('requestErasure', { params: { id }, body: { reason: 'by letter' } });
  return server.call('eraseSubject', { params: { id }, body: { erasure_id: body.id, label } });
}

it('clears all events of the subject except those without a history entry, which contain no personal data', async () => {
  const subject = await makeSubject();
  expect((await erase(subject)).status).toBe(200);
  const left = await server.sql<{ kind: string; data: object }>(
    `select kind, data from events where data <> '{}' and (object_kind = 'subject' and object_id = $1
       or object_kind = 'experiment' and object_id = $2 or object_kind = 'callback_execution' and object_id = $3)`,
    [subject.id, subject.experiment, subject.execution],
  );
  expect(left).toEqual([{ kind: 'startExecution', data: { attempt: 1, experiment_id: subject.experiment } }]);
});

it('finds a history entry in the transaction of every event that can contain personal data', async () => {
  await makeSubject();
  const without = await server.sql<{ kind: string }>(
    `select distinct kind from events where data <> '{}' and not exists (select from history where history.xid = events.xid)`,
  );
  expect(without).toEqual([{ kind: 'startExecution' }]);
});

/** The response of a request that changed no history of the subject. */
const storeResponse = (key: string, location: string, body: object) =>
  server.sql(
    `insert into idempotency_keys (actor_kind, actor_id, key, operation, request_hash, status, location, body)
     values ('user', 1, $1, 'updateCohort', sha256('x'), 200, $2, $3)`,
    [key, location, JSON.stringify(body)],
  );

it('clears stored responses about the subject, and those of several objects that name it', async () => {
  const subject = await makeSubject();
  const cohort = '/api/v2/cohorts/1';
  await storeResponse('its path', `/api/v2/experiments/${subject.experiment}/state`, { note: 'x' });
  await storeResponse('label', cohort, { subjects: [{ label: subject.label }] });
  await storeResponse('path', cohort, {
    list: ['/x', `https://a.org/api/v2/callback_executions/${subject.execution}/log`],
  });
  await storeResponse('other', cohort, {
    label: `${subject.label}x`,
    uri: `/api/v2/experiments/${subject.experiment}0`,
  });
  await storeResponse('other path', `/api/v2/experiments/${subject.experiment}0`, { note: 'x' });
  expect((await erase(subject)).status).toBe(200);
  const kept = await server.sql<{ key: string }>(
    'select key from idempotency_keys where body is not null order by key',
  );
  expect(kept.map(({ key }) => key)).toEqual(['other', 'other path']);
});
