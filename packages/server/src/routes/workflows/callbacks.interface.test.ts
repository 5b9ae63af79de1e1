/**
 * PUT /callbacks/{id} has the same effect as importing the definition with one callback changed.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { largeWorkflow } from '../../../testing/rows/large-workflow.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wholeWorkflow } from '../../../../definitions/testing/whole-workflow.ts';
import { importSnapshot, partsOf } from '../../../testing/workflow-parts.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const importText = (workflow_definition: string) => server.call('importWorkflow', { body: { workflow_definition } });

/** Imports a workflow whose first state has the callback `check`, which a condition refers to. */
async function workflow() {
  const label = world.fresh('whole').replace(' ', '_');
  const { body } = await importText(wholeWorkflow(label));
  const { callbacks } = await partsOf(server, label);
  return { id: body.id as number, label, callbackId: callbacks[0]?.id ?? 0 };
}

const put = (id: number, body: object) => server.call('updateCallback', { params: { id }, body });
const get = (id: number) => server.call('getCallback', { params: { id } });

const lastRevision = async (workflowId: number) => {
  const [row] = await server.sql<{ revision: number; definition: string; definition_hash: string; author_id: string }>(
    'select revision, definition, definition_hash, author_id from workflow_revisions where workflow_id = $1 order by revision desc limit 1',
    [workflowId],
  );
  return row ?? { revision: 0, definition: '', definition_hash: '', author_id: '' };
};

async function createExecution(label: string) {
  const subject = await world.subject();
  const body = { label: world.fresh('experiment'), subject_id: subject.id, workflow_label: label };
  const experiment = (await server.call('createExperiment', { body })).body;
  const [row] = await server.sql<{ id: string }>(
    'select callback_executions.id from callback_executions join actions on actions.id = action_id where experiment_id = $1',
    [experiment.id],
  );
  return Number(row?.id);
}

const callbackOf = async (id: number) => (await server.call('getCallbackExecution', { params: { id } })).body.callback;

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `k${index}: "${'x'.repeat(50)}"`).join('\n');

describe('PUT /callbacks/{id}', () => {
  it('applies to later executions, while existing executions keep their settings', async () => {
    const { label, callbackId } = await workflow();
    const before = await createExecution(label);
    const changes = { label: 'check', run_timeout: 7, callback_arguments: '{"url": "https://other"}' };
    const { status, body } = await put(callbackId, changes);
    expect([status, body.run_timeout, body.callback_arguments]).toEqual([200, 7, '{"url":"https://other"}']);
    const after = await createExecution(label);
    const executions = [before, after].map((id) => ({ id, uri: `/api/v2/callback_executions/${id}` }));
    expect((await get(callbackId)).body).toEqual({ ...body, executions });
    expect(await callbackOf(before)).toMatchObject({ run_timeout: 60, initial_delay: 5, executions });
    expect(await callbackOf(after)).toEqual({ ...body, executions });
  });

  it('creates a revision whose definition imports as identical, while the old file imports as changed', async () => {
    const { id, label, callbackId } = await workflow();
    await put(callbackId, { description: 'Other words', condition: 'experiment.label != "x" and True' });
    const { revision, definition, author_id } = await lastRevision(id);
    expect([revision, author_id]).toEqual([2, '1']);
    expect((await importText(definition)).body).toMatchObject({ outcome: 'identical', revision: 2 });
    expect((await importText(wholeWorkflow(label))).body).toMatchObject({ outcome: 'changed', revision: 3 });
    expect((await get(callbackId)).body).toMatchObject({ description: '', condition: '' });
  });

  it('keeps the id, the position and the variable map of the callback', async () => {
    const { label, callbackId } = await workflow();
    const [old] = (await partsOf(server, label)).callbacks;
    await put(callbackId, { initial_delay: 0 });
    const { callbacks } = await partsOf(server, label);
    const settings = { ...old?.settings, version: 2, workflow_revision: 2, initial_delay: 0 };
    expect(callbacks).toEqual([{ ...old, version: 2, settings }]);
  });

  it('records the changed fields for the callback and for its workflow', async () => {
    const { id, callbackId } = await workflow();
    await put(callbackId, { run_timeout: 5, wait_timeout: 0 });
    const entries = await server.sql(
      `select object_kind, object_id::int, before, after from history where operation = 'updateCallback'
       and ((object_kind = 'callback' and object_id = $1) or (object_kind = 'workflow' and object_id = $2)) order by id`,
      [callbackId, id],
    );
    expect(entries).toEqual([
      {
        object_kind: 'callback',
        object_id: callbackId,
        before: { run_timeout: 60 },
        after: { run_timeout: 5, workflow_revision: 2 },
      },
      {
        object_kind: 'workflow',
        object_id: id,
        before: { revision: 1 },
        after: { revision: 2, callbacks: { changed: ['arrived / check'] } },
      },
    ]);
  });

  it('writes nothing if no value differs, for example if the body is a GET response', async () => {
    const { callbackId } = await workflow();
    await createExecution((await workflow()).label);
    const { body: shown } = await get(callbackId);
    const before = await importSnapshot(server);
    for (const same of [shown, {}, { callback_arguments: ` ${shown.callback_arguments}` }, { condition: null }]) {
      expect(await put(callbackId, same)).toMatchObject({ status: 200, body: shown });
    }
    expect(await importSnapshot(server)).toEqual(before);
  });

  it('accepts null for optional text fields, and YAML or JSON for the arguments', async () => {
    const { callbackId } = await workflow();
    await put(callbackId, { description: 'x', condition: 'true' });
    const cleared = { description: null, condition: null, callback_arguments: null };
    expect((await put(callbackId, cleared)).body).toMatchObject({
      description: '',
      condition: '',
      callback_arguments: '{}',
    });
    const { body } = await put(callbackId, { callback_arguments: 'b: [1, null]\na: {z: "{{execution.api_uri}}"}\n' });
    expect(body.callback_arguments).toBe('{"b":[1,null],"a":{"z":"{{execution.api_uri}}"}}');
  });

  it('rejects a queue name that is not a valid label or contains a placeholder', async () => {
    const { callbackId } = await workflow();
    for (const queue of ['{{experiment.label}}', 'x'.repeat(256), '']) {
      const change = { function: 'worker', callback_arguments: JSON.stringify({ queue }) };
      const refusal = { status: 400, body: { errors: [{ pointer: '/callback_arguments/queue' }] } };
      expect(await put(callbackId, change)).toMatchObject(refusal);
    }
  });

  it('accepts arguments up to the size limit of an import', async () => {
    const { callbackId } = await workflow();
    const { status, body } = await put(callbackId, { callback_arguments: lines(3000) });
    expect(status).toBe(200);
    expect(Object.keys(JSON.parse(body.callback_arguments))).toHaveLength(3000);
    const refused = await put(callbackId, { callback_arguments: lines(6000) });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/callback_arguments' }] } });
  });
});

describe('a callback in the largest supported definition', () => {
  it('can be changed, and the new revision can be imported', async () => {
    const { body: large } = await importText(largeWorkflow('large'));
    const [, callback] = (await partsOf(server, 'large')).callbacks;
    expect((await put(callback?.id ?? 0, { run_timeout: 5 })).status).toBe(200);
    const { definition } = await lastRevision(large.id);
    expect((await importText(definition)).body).toMatchObject({ outcome: 'identical', revision: 2 });
  });
});

describe('the label of a callback', () => {
  it('can change while the id stays the same', async () => {
    const { id, callbackId } = await workflow();
    const file = (await lastRevision(id)).definition.replace(
      `, condition: "callbacks['check'].result == 'success'"`,
      '',
    );
    await importText(file);
    expect((await put(callbackId, { label: 'verify' })).body).toMatchObject({
      label: 'verify',
      uri: `/api/v2/callbacks/${callbackId}`,
    });
    const { revision, definition } = await lastRevision(id);
    expect(revision).toBe(3);
    expect((await importText(definition)).body).toMatchObject({ outcome: 'identical' });
    const { body } = await server.call('listCallbacks', { query: { after: callbackId - 1, limit: 1 } });
    expect(body.callbacks[0]).toMatchObject({ id: callbackId, label: 'verify' });
  });

  it('cannot change while a condition refers to it', async () => {
    const { callbackId } = await workflow();
    const { status, body } = await put(callbackId, { label: 'verify' });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '/label', detail: expect.stringContaining('the transition to "processed" refers to "check"') },
    ]);
  });
});

describe('concurrent changes to a callback', () => {
  it('do not interfere with each other or with new experiments, and all take effect', async () => {
    const { id, label, callbackId } = await workflow();
    const timeouts = [1, 2, 3, 4, 5, 6];
    const results = await Promise.all([
      ...timeouts.map((run_timeout) => put(callbackId, { run_timeout })),
      ...timeouts.map(() => createExecution(label)),
    ]);
    expect(results.slice(0, 6).map((result) => (typeof result === 'number' ? 0 : result.status))).toEqual(
      timeouts.map(() => 200),
    );
    expect(results.slice(6).every((execution) => typeof execution === 'number' && execution > 0)).toBe(true);
    const revisions = await server.sql(
      'select revision from workflow_revisions where workflow_id = $1 order by revision',
      [id],
    );
    expect(revisions).toEqual([1, 2, 3, 4, 5, 6, 7].map((revision) => ({ revision })));
    expect((await partsOf(server, label)).callbacks[0]?.version).toBe(7);
  });
});
