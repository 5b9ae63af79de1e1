/**
 * How the engine reads result values: only the paths that conditions and variable maps name.
 *
 * @module-tag sql
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ValuePath } from '@milepost/definitions';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { countReceivedBytes } from '../../../testing/measure/received-bytes.ts';
import { storedValues, valuePath } from '../../../testing/random-values.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { verifyHistory } from '../../chain/verify-history.ts';
import { readChains } from '../../store/record/chained-history.ts';
import { listConditionValues } from '../../store/experiments/condition-values.ts';
import { allCohorts } from '../../store/scope.ts';
import { joinValues, pickValues } from './pick-values.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const labels = Array.from({ length: 8 }, (_, index) => `c${index}`);
const mebibyte = 1024 * 1024;

/** Values of exactly 1 MiB as JSON. */
function fullValues(usable: boolean) {
  const values = { body: { usable, scores: [3, 1, 4] }, output: '' };
  return { ...values, output: 'x'.repeat(mebibyte - JSON.stringify(values).length) };
}

const everyCallback = "callbacks.all(c, callbacks[c].result == 'success')";
const states = `states:
  - label: run
    callbacks:
${labels.map((label) => `      - {label: ${label}, function: worker, callback_arguments: {queue: worker}, variable_map: {${label}: /body/scores/1}}`).join('\n')}
    transitions:
      - {destination: good, condition: "${everyCallback} && callbacks['c0'].result_values.body.usable == true", by: engine}
      - {destination: other, condition: "callbacks['c7'].result_values.body['scores'][0] == 3", by: person}
  - {label: good}
  - {label: other}
`;

const report = (id: number, usable: boolean) =>
  server.call('updateCallbackExecution', {
    params: { id },
    fields: 'status',
    body: { status: 'finished', result: 'success', result_values: fullValues(usable) },
  });

/** An experiment whose eight callbacks have full values, except for the callbacks that are named. */
async function fullExperiment(usable: boolean, except: readonly string[] = []) {
  const id = await world.experimentIn(states);
  for (const { id: execution, callback } of await world.executionsOf(id)) {
    if (except.includes(callback)) continue;
    expect(await report(execution, usable)).toMatchObject({ status: 200 });
  }
  return id;
}

const received = (work: () => Promise<unknown>) => countReceivedBytes(server.database.pool, work);

const sha256 = (...parts: (Buffer | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

describe('eight callbacks with 1 MiB of result values each', () => {
  const limit = 100 * 1024;

  it('end their action and move the experiment with less than 100 KiB read', async () => {
    const id = await fullExperiment(true, ['c7']);
    const last = await world.executionOf(id, 'c7');
    expect(await received(() => report(last.id, true))).toBeLessThan(limit);
    expect(await world.stateOf(id)).toBe('good');
    expect(await world.variablesOf(id)).toEqual(Object.fromEntries(labels.map((label) => [label, 1])));
  });

  it('allow a user to move the experiment with less than 100 KiB read', async () => {
    const id = await fullExperiment(false);
    const moved = await received(async () => expect(await world.move(id, 'other')).toMatchObject({ status: 200 }));
    expect(moved).toBeLessThan(limit);
    expect(await world.stateOf(id)).toBe('other');
  });

  it('are explained, evaluated again and shown with less than 100 KiB read', async () => {
    const id = await fullExperiment(false);
    const params = { id };
    expect(await received(() => server.call('getExperimentTransitions', { params }))).toBeLessThan(limit);
    expect(await received(() => server.call('getExperimentOverview', { params }))).toBeLessThan(limit);
    const evaluation = () => server.call('evaluateExperiment', { params, body: { reason: 'look again' } });
    expect(await received(evaluation)).toBeLessThan(limit);
    expect(await world.stateOf(id)).toBe('run');
  });

  it('are compared with a late report with less than 100 KiB read', async () => {
    const id = await fullExperiment(false);
    const { id: execution } = await world.executionOf(id, 'c0');
    const sent = { fields: 'status', body: { result_values: fullValues(false), run_log: 'x'.repeat(mebibyte) } };
    const late = () => server.call('updateCallbackExecution', { params: { id: execution }, ...sent });
    expect(await received(late)).toBeLessThan(limit);
    expect(await received(late)).toBeLessThan(limit);
    const other = { fields: 'status', body: { result_values: { x: 1 } } };
    expect((await server.call('updateCallbackExecution', { params: { id: execution }, ...other })).status).toBe(409);
  });
});

const read = async (id: number, version: number, executionId: number, some: ValuePath[]) => {
  const resultValues = [{ executionId, paths: some }];
  const reads = { variables: false, externalIds: false, subjectExternalIds: false, resultValues };
  return (await listConditionValues(server.database.db, allCohorts, [{ id, version, reads }])).get(id)?.result_values;
};

describe('listConditionValues', () => {
  const paths = fc.array(valuePath, { minLength: 1, maxLength: 4 });

  it('finds the same values as in memory, for random values and paths', async () => {
    const id = await world.experimentIn(pulledWorkflow('unused'));
    const execution = await world.executionOf(id, 'c');
    await fc.assert(
      fc.asyncProperty(storedValues, paths, async (values, some) => {
        await server.sql('update callback_executions set result_values = $2 where id = $1', [execution.id, values]);
        const found = (await read(id, 1, execution.id, some))?.get(execution.id) ?? [];
        const joined = joinValues(some.map((path, index) => ({ kinds: [], value: null, ...found[index], path })));
        expect(joined).toEqual(pickValues(values, some));
      }),
      { seed, numRuns: 300 },
    );
  });

  it('finds nothing after another change of the experiment', async () => {
    const id = await world.experimentIn(pulledWorkflow('unused'));
    const execution = await world.executionOf(id, 'c');
    await world.report(execution.id, { result_values: { x: 1 } });
    expect(await read(id, 1, execution.id, [['x']])).toBeUndefined();
    expect((await read(id, 2, execution.id, [['x']]))?.get(execution.id)).toEqual([{ kinds: ['number'], value: 1 }]);
  });
});

describe('a condition', () => {
  it('reads the values of an outcome that a retry carries over', async () => {
    const id = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: a, function: worker, callback_arguments: {queue: worker}}, {label: b, function: worker, callback_arguments: {queue: worker}}]
    transitions:
      - {destination: good, condition: "callbacks.a.result_values.x == 1 && callbacks.b.result == 'success'", by: engine}
  - {label: good}
`);
    await world.finish((await world.executionOf(id, 'a')).id, 'success', { x: 1 });
    await world.finish((await world.executionOf(id, 'b')).id, 'failed');
    await server.call('retryExperiment', { params: { id }, body: { reason: 'again' } });
    await world.finish((await world.executionOf(id, 'b')).id, 'success');
    expect(await world.stateOf(id)).toBe('good');
  });
});

describe('the inputs of an ended action', () => {
  it('have only the values that conditions and variable maps named', async () => {
    const id = await fullExperiment(true);
    const [{ callbacks } = { callbacks: {} }] = await server.sql<{ callbacks: object }>(
      `select inputs -> 'callbacks' as callbacks from actions where experiment_id = $1 and sequence = 1`,
      [id],
    );
    const outcome = { status: 'finished', result: 'success' };
    const body = { scores: [null, 1] };
    const others = labels.slice(1).map((label) => [label, { ...outcome, result_values: { body } }]);
    const first = { ...outcome, result_values: { body: { ...body, usable: true } } };
    expect(callbacks).toEqual({ ...Object.fromEntries(others), c0: first });
  });
});

describe('result values', () => {
  it("are stored once, and the history has their length and a hash that needs the subject's key", async () => {
    const id = await world.experimentIn(pulledWorkflow('unused'));
    const execution = await world.executionOf(id, 'c');
    const values = { x: 1, text: 'left hippocampus: 3.1 ml €', list: [1.0, 2e30] };
    expect((await world.finish(execution.id, 'success', values)).body).toMatchObject({ result_values: values });
    const [stored] = await server.sql<{ text: string; key: Buffer }>(
      `select result_values::text as text, key from callback_executions join actions on actions.id = action_id
       join experiments on experiments.id = experiment_id
       join personal_keys on person = 'subject' and person_id = subject_id where callback_executions.id = $1`,
      [execution.id],
    );
    const [entry] = await server.sql(
      `select before, after from history_with_values where object_kind = 'callback_execution' and object_id = $1`,
      [execution.id],
    );
    const { text = '', key = '' } = stored ?? {};
    const result_values = { length: Buffer.byteLength(text), hash: sha256(key, sha256(text)).toString('hex') };
    expect(entry).toMatchObject({ after: { status: 'finished', result: 'success', result_values } });
    const others = await server.sql<{ text: string }>(
      `select (select string_agg(one::text, '') from history_with_values one)
         || (select string_agg(one::text, '') from events one) || (select string_agg(one::text, '') from actions one)
         as text`,
    );
    expect(others[0]?.text).not.toContain('hippocampus');
    expect((await verifyHistory(readChains(server.database.db))).bad).toBeUndefined();
  });

  it('are found by the statement of the guide if they were changed without an entry', async () => {
    const id = await world.experimentIn(pulledWorkflow('unused'));
    const execution = await world.executionOf(id, 'c');
    await world.report(execution.id, { result_values: { x: 1 } });
    await world.finish(execution.id, 'success', { x: 2, n: 1.5 });
    const guide = await readFile(new URL('../../../../../docs/how-to/verify-the-history.md', import.meta.url), 'utf8');
    const [, statement = ''] = /```sql\n(.*?)```/s.exec(guide) ?? [];
    const changed = async () =>
      (await server.sql<{ object_id: string }>(statement)).map((row) => Number(row.object_id));
    expect(await changed()).not.toContain(execution.id);
    await server.sql(`update callback_executions set result_values = '{"x": 3, "n": 1.5}' where id = $1`, [
      execution.id,
    ]);
    expect(await changed()).toContain(execution.id);
  });
});
