/**
 * Claims of pulling workers: whose they are, for whom they are started, and that secrets stay secret.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic } from '@milepost/api';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { openToken } from '../../testing/tokens.ts';

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
const waitIn = (queue: string) => world.experimentIn(workflow(queue));
const renew = (id: number, body: object, as = 'admin') =>
  server.call('renewClaim', { params: { execution_id: id }, body, as });

describe('what a reporter sends', () => {
  it('is stored without the secret, wherever it stands', async () => {
    await waitIn('masks');
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
    const { body } = await world.reportBy(claim, report);
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
    // The same report again is the same report.
    expect((await world.reportBy(claim, report)).status).toBe(200);
  });
});

describe('a renewal without a secret', () => {
  it('names its attempt, and is refused where that is somebody else’s or an older one', async () => {
    await waitIn('owners');
    const [{ execution }] = await world.claim('owners');
    expect(await renew(execution.id, {})).toMatchObject({ status: 400, body: { errors: [{ pointer: '/attempt' }] } });
    expect(await renew(execution.id, { attempt: 1 })).toMatchObject({ status: 200, body: { continue: true } });
    const others = await renew(execution.id, { attempt: 1, log: 'mine now' }, 'cluster');
    expect(others).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    await server.sql('update callback_executions set attempt = 2 where id = $1', [execution.id]);
    expect(await renew(execution.id, { attempt: 1 })).toMatchObject({ status: 409, body: { code: 'stale_attempt' } });
  });
});

/** Somebody waits. */
const listening = `select 1 from pg_stat_activity
  where application_name = 'milepost listen' and datname = current_database()`;

const waitFor = (queue: string, signal: AbortSignal) =>
  fetch(`${server.baseUrl}/worker/claims`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic('cluster', testPassword) },
    body: JSON.stringify({ queues: [queue], wait_seconds: 30 }),
    signal,
  });

describe('who waits for something to do', () => {
  it('and goes away gets nothing started', async () => {
    const leaving = new AbortController();
    const asked = waitFor('deserted', leaving.signal);
    await expect.poll(() => server.sql(listening)).toHaveLength(1);
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    const experiment = await waitIn('deserted');
    // Whoever waits is woken in the order in which jobs come: the one who left would have been before this one.
    const beside = world.claim('beside', { wait_seconds: 30 });
    await waitIn('beside');
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

  it('is answered when the server closes', async () => {
    const closing = await startTestServer();
    const asked = closing.call('claimExecutions', { body: { queues: ['closing'], wait_seconds: 30 } });
    await expect.poll(() => closing.sql(listening)).toHaveLength(1);
    await closing.stop();
    // Connections that were not answered are cut before their wait is over.
    expect((await asked).body).toEqual({ claims: [] });
  });
});

/** What ends the right of an account or of its token, and what those are told who come with it. */
const ends: [string, (of: { id: number; tokenId: number }) => Parameters<TestServer['call']>, number][] = [
  ['account is deactivated', ({ id }) => ['deleteUser', { params: { id } }], 401],
  ['token is revoked', ({ id, tokenId }) => ['revokeApiToken', { params: { id, token_id: tokenId } }], 401],
  ['role is taken', () => ['removeUserRole', { params: { username: 'leaver', role_name: 'role of leaver' } }], 403],
];

describe('who waits for something to do while', () => {
  it.each(ends)('their %s is refused, and gets nothing started', async (_what, end, refusal) => {
    // A server of its own: it listens from the moment in which somebody waits.
    const own = await startTestServer();
    const id = await own.addUserWith('leaver', 'worker_run');
    const { id: tokenId, parts } = await openToken(own, { id, username: 'leaver' }, ['worker_run']);
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

/** The queue of one. */
const queueOfNext = async (queues: string[]) =>
  (await server.call('claimExecutions', { body: { queues } })).body.claims.map(({ queue }: { queue: string }) => queue);

describe('several claims at once', () => {
  it('come from the queues in the order in which they were named', async () => {
    const [first, second] = [world.fresh('queue').replace(' ', ''), world.fresh('queue').replace(' ', '')];
    for (const queue of [first, second, second]) await waitIn(queue);
    expect(await queueOfNext([second, first])).toEqual([second]);
    expect(await queueOfNext([first, second])).toEqual([first]);
    expect(await queueOfNext([first, second])).toEqual([second]);
  });

  it('are given out where one of them cannot be', async () => {
    const broken = await waitIn('several');
    const whole = await waitIn('several');
    // Deeper than an import lets through, so that filling it in breaks.
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
    expect(attempt).toEqual({ error: 'It could not be given to a worker.' });
  });
});
