/**
 * Requests during an import of the same workflow: moves and creations fail after 2 s and can be repeated. Another import waits
 * up to 20 s (docs/decisions/0008). A request that fails writes nothing.
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertExperiment, positionOf } from '../../../testing/rows/inserted-experiments.ts';
import { withClient } from '../../../testing/test-database.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';
import { importSnapshot } from '../../../testing/workflow-parts.ts';
import { timeoutsFor } from '../../database/connection.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ timeouts: { lockMs: timeoutsFor(5).lockMs } });
  await server.sql("insert into cohorts (label) values ('c')");
  await server.sql("insert into subjects (cohort_id, label) values (1, 's')");
});
afterAll(() => server.stop());

const definition = (label: string, freetext = '') =>
  `label: ${label}\ninitial: a\nstates:\n` +
  `  - {label: a, freetext: "${freetext}", transitions: [{destination: b}]}\n  - {label: b, transitions: [{destination: a}]}\n`;
const imported = (label: string, freetext?: string): [OperationName, Parts] => [
  'importWorkflow',
  { body: { workflow_definition: definition(label, freetext) } },
];
const moveTo = (id: number, state_label: string): [OperationName, Parts] => [
  'setExperimentState',
  { params: { id }, body: { state_label } },
];
const creation = (workflow_label: string): [OperationName, Parts] => [
  'createExperiment',
  { body: { label: 'new', subject_id: 1, workflow_label } },
];

/** Locks the workflow's row exclusively, as an import does from its first read to its commit. */
const whileHeld = <T>(label: string, work: () => Promise<T>): Promise<T> =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('select from workflows where label = $1 for update', [label]);
    const result = await work();
    await client.query('rollback');
    return result;
  });

const stored = async () => [
  ...(await importSnapshot(server)),
  ...(await server.sql(
    `select (select jsonb_agg(e order by id) from experiments e) as experiments,
            (select jsonb_agg(a order by id) from actions a) as actions`,
  )),
];

const answerOf = async (name: OperationName, parts: Parts) => {
  const { status, headers, body } = await server.call(name, parts);
  return { status, code: body.code, retryAfter: headers.get('retry-after') };
};

const busy = { status: 503, code: 'busy', retryAfter: '1' };

async function secondsOf(name: OperationName, parts: Parts): Promise<number> {
  const start = performance.now();
  expect(await answerOf(name, parts)).toEqual(busy);
  return (performance.now() - start) / 1000;
}

const waiting = () =>
  server.sql<{ pid: number }>(
    'select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );

/** Storing the layout, shortly after an import, would also wait for the row. */
async function waitForLayout(label: string): Promise<void> {
  const missing = () => server.sql('select from workflows where label = $1 and layout is null', [label]);
  await expect.poll(missing).toEqual([]);
}

describe('while an import holds the workflow lock', () => {
  it.each([
    ['PUT /experiments/{id}/state', 'moved', (id: number) => moveTo(id, 'b'), 200],
    ['POST /experiments', 'entered', () => creation('entered'), 201],
  ])('%s returns 503, writes nothing and succeeds afterwards', async (_request, label, request, success) => {
    await server.call(...imported(label));
    const call = request(await insertExperiment(server, label, 'a'));
    const before = await stored();
    expect(await whileHeld(label, () => answerOf(...call))).toEqual(busy);
    expect(await stored()).toEqual(before);
    expect((await server.call(...call)).status).toBe(success);
    expect(await stored()).not.toEqual(before);
  });

  it('experiments of other workflows can move', async () => {
    for (const label of ['held', 'free']) await server.call(...imported(label));
    const id = await insertExperiment(server, 'free', 'a');
    const answer = await whileHeld('held', () => server.call(...moveTo(id, 'b')));
    expect(answer.status).toBe(200);
    expect(await positionOf(server, id)).toMatchObject({ state: 'b' });
  });

  it('another import waits and then applies to the result of the first import', async () => {
    await server.call(...imported('after'));
    await waitForLayout('after');
    const second = await whileHeld('after', async () => {
      const answer = server.call(...imported('after', 'second'));
      await expect.poll(waiting).toHaveLength(1);
      return { answer };
    });
    expect((await second.answer).body).toMatchObject({ outcome: 'changed', revision: 2 });
  });

  it('another import that is cancelled while it waits returns 503, writes nothing and succeeds afterwards', async () => {
    await server.call(...imported('twice'));
    await waitForLayout('twice');
    const before = await stored();
    const answer = await whileHeld('twice', async () => {
      const cancelled = answerOf(...imported('twice', 'changed'));
      await expect.poll(waiting).toHaveLength(1);
      await withClient(server.testDatabase.superuserUrl, async (client) => {
        for (const { pid } of await waiting()) await client.query('select pg_cancel_backend($1)', [pid]);
      });
      return cancelled;
    });
    expect(answer).toEqual(busy);
    expect(await stored()).toEqual(before);
    expect((await server.call(...imported('twice', 'changed'))).body).toMatchObject({
      outcome: 'changed',
      revision: 2,
    });
  });
});

it('moves wait up to 2 s for the workflow lock, and imports up to 20 s', async () => {
  const limits = `select current_setting('lock_timeout') as lock`;
  expect((await server.database.pool.query(limits)).rows).toEqual([{ lock: '2s' }]);
  const sent = await statementsDuring(() => server.call(...imported('limited')), /lock_timeout/);
  expect(sent[0]?.text).toContain(`set_config('lock_timeout', '20s', true)`);
});

it(
  'a move that waits for the workflow lock returns 503 after 2 s, and an import after 20 s',
  { tags: ['nightly'] },
  async () => {
    await server.call(...imported('timed'));
    const id = await insertExperiment(server, 'timed', 'a');
    await waitForLayout('timed');
    const [move, second] = await whileHeld('timed', () =>
      Promise.all([secondsOf(...moveTo(id, 'b')), secondsOf(...imported('timed', 'changed'))]),
    );
    expect(move).toBeGreaterThan(1.9);
    expect(move).toBeLessThan(4);
    expect(second).toBeGreaterThan(19.9);
    expect(second).toBeLessThan(23);
  },
);
