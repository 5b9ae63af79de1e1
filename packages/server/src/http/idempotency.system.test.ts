/** Idempotency-Key: a repeated request has one effect and gets the same response. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '@milepost/api';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { pauseAtLock, lockWrites, retryWhileUnavailable, type LockPoint } from '../../testing/pause-at-lock.ts';
import { startServerProcess } from '../../testing/processes/server-process.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const createCohort = (label: string, key: string, as = 'admin') =>
  server.call('createCohort', { as, body: { label }, headers: { 'idempotency-key': key } });

const countOf = async (table: string, where: string, ...values: unknown[]) =>
  (await server.sql<{ count: number }>(`select count(*)::int as count from ${table} where ${where}`, values))[0]?.count;

describe('a request with an Idempotency-Key', () => {
  it('has one effect and gets the same response when repeated', async () => {
    const key = randomUUID();
    const [first, second] = [await createCohort('once', key), await createCohort('once', key)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await countOf('cohorts', `label = 'once'`)).toBe(1);
    expect(await countOf('history', `object_kind = 'cohort' and object_id = $1`, first.body.id)).toBe(1);
  });

  it('has one effect and one response when sent twenty times at the same time', async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 20 }, () => createCohort('at once', key)));
    const settled = responses.filter(({ status }) => status !== 503);
    expect(settled.length).toBeGreaterThan(0);
    expect(new Set(settled.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await countOf('cohorts', `label = 'at once'`)).toBe(1);
  });

  it('runs checkTimeouts again, because that operation ignores the key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const responses = [
      await server.call('checkTimeouts', { headers }),
      await server.call('checkTimeouts', { headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses.map((response) => response.headers.get('idempotency-replayed'))).toEqual([null, null]);
  });

  it('returns 422 if the key was used for another request', async () => {
    const key = randomUUID();
    await createCohort('mine', key);
    expect(await createCohort('other', key)).toMatchObject({ status: 422, body: { code: 'key_reused' } });
    expect(await countOf('cohorts', `label = 'other'`)).toBe(0);
  });

  it('does not conflict with the same key of another user', async () => {
    await server.addUserWith('keeper', 'sample_add');
    const key = randomUUID();
    await createCohort('of admin', key);
    expect((await createCohort('of keeper', key, 'keeper')).status).toBe(201);
  });

  it('is processed again after it was rejected', async () => {
    const key = randomUUID();
    await createCohort('taken', randomUUID());
    expect((await createCohort('taken', key)).status).toBe(409);
    await server.sql(`update cohorts set label = 'renamed' where label = 'taken'`);
    expect((await createCohort('taken', key)).status).toBe(201);
  });

  it('is processed again after 24 hours', async () => {
    const key = randomUUID();
    await createCohort('yesterday', key);
    await server.sql(`update idempotency_keys set created_at = now() - interval '25 hours' where key = $1`, [key]);
    expect((await createCohort('yesterday', key)).status).toBe(409);
  });

  it.each(['', 'with blank', '\u00e4', 'x'.repeat(256)])('is rejected if the key is %j', async (key) => {
    expect(await createCohort('never', key)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: 'Idempotency-Key' }] },
    });
    const dryRun = { query: { dry_run: true }, body: { config_definition: 'roles: []' } };
    const { status } = await server.call('importConfig', { ...dryRun, headers: { 'idempotency-key': key } });
    expect(status).toBe(400);
  });
});

const two = `states:
  - {label: a, transitions: [{destination: b}]}
  - {label: b, callbacks: [{label: c, function: worker, callback_arguments: {queue: keyed}}], transitions: [{destination: a}]}
`;

describe('an Idempotency-Key', () => {
  it('makes a repeated state change happen once, and a waiting worker gets the run', async () => {
    const id = await world.experimentIn(two.replace('states:', 'initial: a\nstates:'));
    const move = (key: string) =>
      server.call('setExperimentState', {
        params: { id },
        body: { state_label: 'b' },
        headers: { 'idempotency-key': key },
      });
    const key = randomUUID();
    const waiting = world.claim('keyed', { wait_seconds: 30 });
    const [first, second] = [await move(key), await move(key)];
    expect(second.body).toEqual(first.body);
    expect(first).toMatchObject({ status: 200, body: { success: true, state: { label: 'b' } } });
    expect(await world.actionsOf(id)).toHaveLength(2);
    expect(await waiting).toHaveLength(1);
    const refused = randomUUID();
    expect((await move(refused)).status).toBe(409);
    expect((await move(refused)).status).toBe(409);
  });

  it('applies only the first of two identical reports with the secret of the execution', async () => {
    const id = await world.experimentIn(two.replace('states:', 'initial: b\nstates:').replace('keyed', 'keyed2'));
    const [claim] = await world.claim('keyed2');
    const report = () =>
      server.call('updateCallbackExecution', {
        params: { id: claim.execution.id },
        as: null,
        headers: { 'idempotency-key': 'the-same', authorization: `Bearer ${claim.secret}` },
        body: { status: 'finished', result: 'success' },
      });
    const [first, second] = [await report(), await report()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(await world.stateOf(id)).toBe('a');
  });

  it('stores only the status and the location of a response over 64 KiB', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: 'large' } });
    await server.sql(
      `insert into subjects (cohort_id, label) select $1, repeat('s', 100) || n from generate_series(1, 900) n`,
      [cohort.id],
    );
    const change = () =>
      fetch(`${server.baseUrl}/cohorts/${cohort.id}`, {
        method: 'PUT',
        headers: {
          authorization: basic('admin', testPassword),
          'content-type': 'application/json',
          'idempotency-key': 'large-answer',
        },
        body: '{"description": "changed"}',
      });
    expect((await (await change()).text()).length).toBeGreaterThan(65_536);
    const again = await change();
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(`/api/v2/cohorts/${cohort.id}`);
    expect(await again.json()).toEqual({ uri: `/api/v2/cohorts/${cohort.id}` });
  });
});

const createAt = (baseUrl: string, label: string) =>
  fetch(`${baseUrl}/cohorts`, {
    method: 'POST',
    headers: {
      authorization: basic('admin', testPassword),
      'content-type': 'application/json',
      'idempotency-key': label.replaceAll(' ', '-'),
    },
    body: JSON.stringify({ label }),
  });

const steps: [when: string, step: LockPoint][] = [
  ['claims the key', { lock: lockWrites('idempotency_keys') }],
  ['creates the cohort', { lock: lockWrites('cohorts') }],
  ['records the change', { lock: lockWrites('history') }],
  ['commits', { lock: lockWrites('events'), released: true }],
];

describe('a repeated request', () => {
  it.each(steps)('has its effect exactly once if the first server is killed while it %s', async (when, step) => {
    const killed = await startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
    const labels = Array.from({ length: 8 }, (_, n) => `${when} ${n}`);
    const send = (label: string) => retryWhileUnavailable(() => createAt(killed.baseUrl, label));
    const statuses = await pauseAtLock(server.testDatabase.ownerUrl, step, {
      begin: () => Promise.all(labels.map(send)),
      whenWaiting: () => killed.stop('SIGKILL'),
    });
    if (!step.released) expect(statuses).toEqual(labels.map(() => 0));
    const countBefore = await countOf('cohorts', 'label = any($1)', labels);
    expect(countBefore).toBeGreaterThanOrEqual(statuses.filter((status) => status === 201).length);
    for (const label of labels) expect((await createAt(server.baseUrl, label)).status).toBe(201);
    expect(await countOf('cohorts', 'label = any($1)', labels)).toBe(labels.length);
  });
});
