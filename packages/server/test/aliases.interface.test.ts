/** Second names of body fields, which the Python client of Study Governor sends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../testing/cases/callbacks.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const move = (id: number, body: object) => server.call('setExperimentState', { params: { id }, body });
const report = (id: number, body: object) => server.call('updateCallbackExecution', { params: { id }, body });

const create = async (body: object) => {
  const { id } = await world.subject();
  return server.call('createExperiment', { body: { label: 'visit', subject_id: id, ...body } });
};
const workflowOf = async (id: number) => {
  const [row] = await server.sql<{ label: string }>(
    `select workflows.label from experiments join states on states.id = state_id
     join workflows on workflows.id = states.workflow_id where experiments.id = $1`,
    [id],
  );
  return row?.label;
};

const contradiction = (name: string, alias: string) => {
  const detail = `/${name} and /${alias} are two names of one field and have different values. Send only one of them.`;
  return [`/${name}`, `/${alias}`].map((pointer) => ({ pointer, detail }));
};

describe('`state` in PUT /experiments/{id}/state', () => {
  it.each([
    ['alone', { state: 'checked' }],
    ['together with an equal `state_label`', { state: 'checked', state_label: 'checked' }],
  ])('moves the experiment if it is sent %s', async (_how, body) => {
    const { id } = await world.experiment();
    expect(await move(id, body)).toMatchObject({ status: 200, body: { success: true, state: { label: 'checked' } } });
  });

  it('is rejected with 400 if `state_label` has another value, and nothing moves', async () => {
    const { id } = await world.experiment();
    const { status, body } = await move(id, { state: 'checked', state_label: 'rejected' });
    expect([status, body.errors]).toEqual([400, contradiction('state_label', 'state')]);
    const { body: after } = await server.call('getExperimentState', { params: { id } });
    expect(after.state.label).toBe('arrived');
  });

  it('is one of two names for a required field', async () => {
    const { id } = await world.experiment();
    const { status, body } = await move(id, { freetext: 'x' });
    const detail = 'One of /state_label, /state is required.';
    expect([status, body.errors]).toEqual([400, [{ pointer: '/state_label', detail }]]);
  });
});

describe('`workflow` in POST /experiments', () => {
  it.each([
    ['alone', (label: string) => ({ workflow: label })],
    ['together with an equal `workflow_label`', (label: string) => ({ workflow: label, workflow_label: label })],
  ])('selects the workflow if it is sent %s', async (_how, naming) => {
    const { label } = await world.workflow();
    await world.workflow();
    const { status, body } = await create(naming(label));
    expect([status, await workflowOf(body.id)]).toEqual([201, label]);
  });

  it('is normalized to Unicode NFC', async () => {
    const { id } = await world.workflow();
    await server.sql('update workflows set label = $2 where id = $1', [id, 'M\u00fcller']);
    expect((await create({ workflow: 'Mu\u0308ller' })).status).toBe(201);
  });

  it('is rejected with 404 and its own pointer if no workflow has this label', async () => {
    const { status, body } = await create({ workflow: 'unknown' });
    expect([status, body.errors[0].pointer]).toEqual([404, '/workflow']);
  });

  it('is rejected with 400 if `workflow_label` has another value', async () => {
    const [one, other] = [await world.workflow(), await world.workflow()];
    const { status, body } = await create({ workflow: one.label, workflow_label: other.label });
    expect([status, body.errors]).toEqual([400, contradiction('workflow_label', 'workflow')]);
  });
});

describe('`wait_log` in PUT /callback_executions/{id}', () => {
  it('is stored as `result_log`', async () => {
    const { id } = await execution(world);
    const { status, body } = await report(id, { status: 'finished', result: 'success', wait_log: 'rated by hand' });
    expect([status, body.result_log]).toEqual([200, 'rated by hand']);
  });

  it('is rejected with 400 if `result_log` has another value, and nothing is stored', async () => {
    const { id } = await execution(world);
    const { status, body } = await report(id, { status: 'running', wait_log: 'a', result_log: 'b' });
    expect([status, body.errors]).toEqual([400, contradiction('result_log', 'wait_log')]);
    const { body: after } = await server.call('getCallbackExecution', { params: { id } });
    expect([after.status, after.result_log]).toEqual(['queued', '']);
  });
});

describe('`result_values: null` in PUT /callback_executions/{id}', () => {
  it('keeps the stored values, because the client sends null if it has none', async () => {
    const { id } = await execution(world);
    await report(id, { status: 'running', result_values: { task_uri: '/tasks/7' } });
    const { body } = await report(id, { status: 'finished', result: 'success', result_values: null });
    expect([body.status, body.result_values]).toEqual(['finished', { task_uri: '/tasks/7' }]);
  });
});
