/**
 * Claims of pulling workers: ownership, waiting, access and hidden secrets.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '@milepost/api';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { createTestToken } from '../../../testing/tokens.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  await server.addUserWith('cluster', 'worker_run');
});
afterAll(() => server.stop());

const workflow = (queue: string) => `states:
  - label: start
    callbacks: [{label: work, function: worker, callback_arguments: {queue: ${queue}}}]
`;
const queueIn = (queue: string) => world.experimentIn(workflow(queue));
const renew = (id: number, body: object, as = 'admin') =>
  server.call('renewClaim', { params: { execution_id: id }, body, as });

describe('a report', () => {
  it('is stored without the secret, wherever the secret occurs', async () => {
    await queueIn('masks');
    const [claim] = await world.claim('masks');
    const { secret, execution } = claim;
    await server.call('renewClaim', {
      params: { execution_id: execution.id },
      as: null,
      headers: { authorization: `Bearer ${secret}` },
      body: { log: `curl -H "Authorization: Bearer ${secret}"\n` },
    });
    const values = { [secret]: 1, inside: [{ it: `see ${secret}` }] };
    const report = {
      status: 'finished',
      result: 'success',
      run_log: secret,
      result_log: secret,
      result_values: values,
    };
    const { body } = await world.reportWithSecret(claim, report);
    expect(body).toMatchObject({
      run_log: expect.stringContaining('(hidden)'),
      result_log: '(hidden)',
      result_values: { '(hidden)': 1, inside: [{ it: 'see (hidden)' }] },
    });
    const kept = await server.sql(
      `select (select string_agg(h::text, '') from history_with_values h) || (select string_agg(e::text, '') from events e)
         || (select string_agg(a::text, '') from execution_attempts a)
         || (select string_agg(c::text, '') from callback_executions c) as text`,
    );
    expect(JSON.stringify(kept)).toContain('curl');
    expect(JSON.stringify(kept)).not.toContain(secret);
    // A repeated report is still recognised, although its secret was hidden.
    expect((await world.reportWithSecret(claim, report)).status).toBe(200);
  });
});

describe('a claim', () => {
  it.each<[string, (id: number) => string]>([
    [
      'duplicate key',
      (id) => `insert into execution_attempts (execution_id, attempt, secret_hash) values (${id}, 1, sha256('other'))`,
    ],
    ['check', (id) => `alter table execution_attempts add constraint broken check (execution_id <> ${id})`],
  ])('starts the other runs if the database rejects one of them (%s)', async (what, breaking) => {
    const queue = `broken-${what.length}`;
    const [broken] = await world.executionsOf(await queueIn(queue));
    const intact = await queueIn(queue);
    await server.sql(breaking(broken?.id ?? 0));
    const body = { queues: [queue], max: 10 };
    const { body: claimed } = await server.call('claimExecutions', { body });
    expect(claimed.claims).toMatchObject([{ experiment: { id: intact } }]);
  });
});

describe('a renewal without a secret', () => {
  it('needs an attempt, and is rejected if the attempt belongs to another worker or is outdated', async () => {
    await queueIn('owners');
    const [{ execution }] = await world.claim('owners');
    expect(await renew(execution.id, {})).toMatchObject({ status: 400, body: { errors: [{ pointer: '/attempt' }] } });
    expect(await renew(execution.id, { attempt: 1 })).toMatchObject({ status: 200, body: { continue: true } });
    const others = await renew(execution.id, { attempt: 1, log: 'mine now' }, 'cluster');
    expect(others).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    await server.sql('update callback_executions set attempt = 2 where id = $1', [execution.id]);
    expect(await renew(execution.id, { attempt: 1 })).toMatchObject({ status: 409, body: { code: 'stale_attempt' } });
  });
});

/** Returns a row while a claim request waits. */
const listening = `select 1 from pg_stat_activity
  where application_name = 'milepost listen' and datname = current_database()`;

const waitFor = (queue: string, signal: AbortSignal) =>
  fetch(`${server.baseUrl}/worker/claims`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic('cluster', testPassword) },
    body: JSON.stringify({ queues: [queue], wait_seconds: 30 }),
    signal,
  });

describe('a claim request that waits for executions', () => {
  it('claims nothing after the client disconnects', async () => {
    const leaving = new AbortController();
    const asked = waitFor('deserted', leaving.signal);
    await expect.poll(() => server.sql(listening)).toHaveLength(1);
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    const experiment = await queueIn('deserted');
    // Waiting requests are woken in the order of jobs, so the disconnected one would be woken before this one.
    const beside = world.claim('beside', { wait_seconds: 30 });
    await queueIn('beside');
    expect(await beside).toMatchObject([{ attempt: 1 }]);
    expect(await world.claim('deserted')).toMatchObject([{ attempt: 1 }]);
    expect(await world.executionsOf(experiment)).toMatchObject([{ attempt: 1 }]);
    const workers = await server.sql(
      `select worker from execution_attempts join callback_executions on id = execution_id
       join actions on actions.id = action_id where experiment_id = $1`,
      [experiment],
    );
    expect(workers).toEqual([{ worker: 'admin' }]);
  });

  it('gets a response when the server stops', async () => {
    const closing = await startTestServer();
    const asked = closing.call('claimExecutions', { body: { queues: ['closing'], wait_seconds: 30 } });
    await expect.poll(() => closing.sql(listening)).toHaveLength(1);
    await closing.stop();
    // A connection without a response would be closed before the wait ends.
    expect((await asked).body).toEqual({ claims: [] });
  });
});

/** Changes that end the access of an account or token, with the status that the waiting request gets. */
const accessEnds: [string, (of: { id: number; tokenId: number }) => Parameters<TestServer['call']>, number][] = [
  ['the account is deactivated', ({ id }) => ['deleteUser', { params: { id } }], 401],
  ['the token is revoked', ({ id, tokenId }) => ['revokeApiToken', { params: { id, token_id: tokenId } }], 401],
  [
    'the role is removed',
    () => ['removeUserRole', { params: { username: 'leaver', role_name: 'role of leaver' } }],
    403,
  ],
];

describe('a waiting claim request', () => {
  it.each(accessEnds)('is rejected and claims nothing if %s', async (_what, end, refusal) => {
    // Uses its own server, as a server listens from the first waiting request on.
    const own = await startTestServer();
    const id = await own.addUserWith('leaver', 'worker_run');
    const { id: tokenId, parts } = await createTestToken(own, { id, username: 'leaver' }, ['worker_run']);
    const ownWorld = createEngineWorld(own);
    const label = await ownWorld.importWorkflow(workflow('left'));
    const asked = own.call('claimExecutions', { ...parts, body: { queues: ['left'], wait_seconds: 30 } });
    await expect.poll(() => own.sql(listening)).toHaveLength(1);
    expect((await own.call(...end({ id, tokenId }))).status).toBeLessThan(300);
    const experiment = await ownWorld.experimentOf(label);
    expect((await asked).status).toBe(refusal);
    expect(await ownWorld.executionsOf(experiment)).toMatchObject([{ attempt: 0 }]);
    await own.stop();
  });
});

/** The queue of the next claim. */
const queueOfNext = async (queues: string[]) =>
  (await server.call('claimExecutions', { body: { queues } })).body.claims.map(({ queue }: { queue: string }) => queue);

describe('claims', () => {
  it('come from the queues in the requested order', async () => {
    const [first, second] = [world.fresh('queue').replace(' ', ''), world.fresh('queue').replace(' ', '')];
    for (const queue of [first, second, second]) await queueIn(queue);
    expect(await queueOfNext([second, first])).toEqual([second]);
    expect(await queueOfNext([first, second])).toEqual([first]);
    expect(await queueOfNext([first, second])).toEqual([second]);
  });

  it('are returned even if another claim in the same request fails', async () => {
    const broken = await queueIn('several');
    const whole = await queueIn('several');
    // Nested deeper than an import allows, so that rendering the arguments fails.
    await server.sql(
      `update callback_versions set callback_arguments = ('{"a":' || repeat('[', 6000) || repeat(']', 6000) || '}')::json
       from callback_executions join actions on actions.id = action_id
       where callback_versions.callback_id = callback_executions.callback_id and experiment_id = $1`,
      [broken],
    );
    const claims = await world.claim('several', { max: 10 });
    expect(claims).toMatchObject([{ experiment: { id: whole } }]);
    const [execution] = await world.executionsOf(broken);
    const [attempt] = await server.sql('select error from execution_attempts where execution_id = $1', [execution?.id]);
    expect(attempt).toEqual({ error: 'The claim could not be returned to the worker.' });
  });
});
