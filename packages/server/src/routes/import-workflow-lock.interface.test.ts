/**
 * Who meets an import that is under way: moves and creations give up after 2 s and can be repeated; another import of the
 * same workflow waits up to 20 s (docs/decisions/0008). None of them has written anything then.
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { experimentIn, placeOf } from '../../testing/placed-experiments.ts';
import { withClient } from '../../testing/postgres.ts';
import { startTestServer, type Parts, type TestServer } from '../../testing/server.ts';
import { everythingImported } from '../../testing/workflow-parts.ts';
import { usualPatience } from '../database/connection.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ patience: { lockMs: usualPatience.lockMs } });
  await server.sql("insert into cohorts (label) values ('c')");
  await server.sql("insert into subjects (cohort_id, label) values (1, 's')");
});
afterAll(() => server.stop());

const circle = (label: string, freetext = '') =>
  `label: ${label}\ninitial: a\nstates:\n` +
  `  - {label: a, freetext: "${freetext}", transitions: [{destination: b}]}\n  - {label: b, transitions: [{destination: a}]}\n`;
const imported = (label: string, freetext?: string): [OperationName, Parts] => [
  'importWorkflow',
  { body: { workflow_definition: circle(label, freetext) } },
];
const moveTo = (id: number, state_label: string): [OperationName, Parts] => [
  'setExperimentState',
  { params: { id }, body: { state_label } },
];
const creation = (workflow_label: string): [OperationName, Parts] => [
  'createExperiment',
  { body: { label: 'new', subject_id: 1, workflow_label } },
];

/** Holds the workflow's row alone, as an import does from its first read to its commit. */
const whileHeld = <T>(label: string, work: () => Promise<T>): Promise<T> =>
  withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('select from workflows where label = $1 for update', [label]);
    const result = await work();
    await client.query('rollback');
    return result;
  });

const stored = async () => [
  ...(await everythingImported(server)),
  ...(await server.sql(
    `select (select jsonb_agg(e order by id) from experiments e) as experiments,
            (select jsonb_agg(a order by id) from actions a) as actions`,
  )),
];

async function timed(name: OperationName, parts: Parts) {
  const start = performance.now();
  const { status, headers, body } = await server.call(name, parts);
  const seconds = (performance.now() - start) / 1000;
  return { status, code: body.code, retryAfter: headers.get('retry-after'), seconds };
}

const busy = { status: 503, code: 'busy', retryAfter: '1', seconds: expect.any(Number) };

describe('while an import holds the workflow', () => {
  it.each([
    ['PUT /experiments/{id}/state', 'moved', (id: number) => moveTo(id, 'b'), 200],
    ['POST /experiments', 'entered', () => creation('entered'), 201],
  ])('%s is 503 after 2 s, writes nothing, and succeeds afterwards', async (_request, label, request, success) => {
    await server.call(...imported(label));
    const call = request(await experimentIn(server, label, 'a'));
    const before = await stored();
    const answer = await whileHeld(label, () => timed(...call));
    expect(answer).toEqual(busy);
    expect(answer.seconds).toBeGreaterThan(1.9);
    expect(answer.seconds).toBeLessThan(8);
    expect(await stored()).toEqual(before);
    expect((await server.call(...call)).status).toBe(success);
    expect(await stored()).not.toEqual(before);
  });

  it('experiments of other workflows move on', async () => {
    for (const label of ['held', 'free']) await server.call(...imported(label));
    const id = await experimentIn(server, 'free', 'a');
    const answer = await whileHeld('held', () => server.call(...moveTo(id, 'b')));
    expect(answer.status).toBe(200);
    expect(await placeOf(server, id)).toMatchObject({ state: 'b' });
  });

  it('another import of it waits longer than moves do, is 503 after 20 s, writes nothing, and succeeds afterwards', async () => {
    await server.call(...imported('twice'));
    const id = await experimentIn(server, 'twice', 'a');
    const before = await stored();
    const [second, move] = await whileHeld('twice', () =>
      Promise.all([timed(...imported('twice', 'changed')), timed(...moveTo(id, 'b'))]),
    );
    expect([second, move]).toEqual([busy, busy]);
    expect(second.seconds).toBeGreaterThan(19.9);
    // The file is read in a thread of its own first, which a busy machine starts late.
    expect(second.seconds).toBeLessThan(30);
    expect(await stored()).toEqual(before);
    expect((await server.call(...imported('twice', 'changed'))).body).toMatchObject({
      outcome: 'changed',
      revision: 2,
    });
  });

  it('another import of it that still waits at its end goes on from what that one left', async () => {
    await server.call(...imported('after'));
    // Its picture is stored a moment later, and would wait for the row as well.
    const drawn = () => server.sql(`select from workflows where label = 'after' and layout is not null`);
    await expect.poll(drawn).toHaveLength(1);
    const second = await whileHeld('after', async () => {
      const waiting = server.call(...imported('after', 'second'));
      const locks =
        'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()';
      await expect.poll(async () => (await server.sql(locks)).length, { interval: 20 }).toBe(1);
      return { waiting };
    });
    expect((await second.waiting).body).toMatchObject({ outcome: 'changed', revision: 2 });
  });
});
