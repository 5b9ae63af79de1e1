/**
 * Attempts, their secrets, and recovery from lost workers.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { reconcileLeases } from './recover-lost-work.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const withSecret = (id: number, secret: string) => ({
  params: { id },
  as: null,
  headers: { authorization: `Bearer ${secret}` },
});

describe('an attempt', () => {
  it('gives access only to its own execution and only with its own secret', async () => {
    await world.experimentIn(work('rule14'));
    await world.experimentIn(work('rule14'));
    const [claim, other] = await world.claim('rule14', { max: 2 });
    const read = (id: number, secret: string) => server.call('getCallbackExecution', withSecret(id, secret));
    expect((await read(claim.execution.id, claim.secret)).status).toBe(200);
    expect((await read(claim.execution.id, other.secret)).status).toBe(403);
    expect((await read(999_999, claim.secret)).status).toBe(403);
    expect((await read(claim.execution.id, 'wrong')).status).toBe(403);
    const inBody = { params: { id: claim.execution.id }, as: null };
    expect((await server.call('updateCallbackExecution', { ...inBody, body: { secret_key: 'wrong' } })).status).toBe(
      403,
    );
    expect((await server.call('updateCallbackExecution', { ...inBody, body: {} })).status).toBe(401);
    const both = { params: inBody.params, body: { secret: other.secret, status: 'finished' } };
    expect((await server.call('updateCallbackExecution', both)).status).toBe(403);
    const secret = { ...inBody, body: { secret: claim.secret, status: 'finished', result: 'success' } };
    expect((await server.call('updateCallbackExecution', secret)).status).toBe(200);
  });

  it('never reveals its secret in responses, the history or events', async () => {
    await world.experimentIn(work('rule14b'));
    const [claim] = await world.claim('rule14b');
    await world.reportWithSecret(claim, { status: 'finished', result: 'success' });
    const { body } = await server.call('getCallbackExecution', { params: { id: claim.execution.id } });
    const [kept] = await server.sql<{ text: string }>(
      `select (select string_agg(h::text, '') from history_with_values h) || (select string_agg(e::text, '') from events e) as text`,
    );
    expect(JSON.stringify(body)).not.toContain(claim.secret);
    expect(kept?.text).not.toContain(claim.secret);
  });

  it('must stop at the next renewal after a user has set the result', async () => {
    const id = await world.experimentIn(work('rule14c'));
    const [claim] = await world.claim('rule14c');
    const renew = () =>
      server.call('renewClaim', {
        params: { execution_id: claim.execution.id },
        body: { attempt: 1, log: 'on and on' },
      });
    expect((await renew()).body).toMatchObject({ continue: true, attempt: 1 });
    await world.finish(claim.execution.id, 'success');
    expect((await renew()).body).toMatchObject({ continue: false });
    expect(await world.stateOf(id)).toBe('good');
    const attempts = await server.call('listExecutionAttempts', { params: { id: claim.execution.id } });
    expect(attempts.body.attempts).toMatchObject([{ attempt: 1, log: 'on and on', worker: 'admin' }]);
  });
});

describe('a run', () => {
  it('is retried after a lost lease, and rejects reports of its first attempt as stale', async () => {
    const id = await world.experimentIn(work('rule14d'));
    const [first] = await world.claim('rule14d');
    await world.loseLease(first.execution.id);
    expect(await reconcileLeases(engineContext(server, 'reconcile'))).toBe(1);
    // 5 s with 20% jitter.
    const [pause] = await server.sql<{ seconds: number }>(
      `select extract(epoch from next_attempt_at - ended_at)::float as seconds
       from callback_executions one join execution_attempts on execution_id = one.id where one.id = $1`,
      [first.execution.id],
    );
    expect(Math.abs((pause?.seconds ?? 0) - 5)).toBeLessThanOrEqual(1);
    await world.skipPause(first.execution.id);
    const [second] = await world.claim('rule14d');
    expect(second).toMatchObject({ execution: { id: first.execution.id }, attempt: 2 });
    expect(second.secret).not.toBe(first.secret);
    const stale = { status: 409, body: { code: 'stale_attempt' } };
    expect(await world.reportWithSecret(first, { status: 'finished', result: 'failed' })).toMatchObject(stale);
    const renewal = {
      params: { execution_id: first.execution.id },
      as: null,
      headers: { authorization: `Bearer ${first.secret}` },
      body: {},
    };
    expect(await server.call('renewClaim', renewal)).toMatchObject(stale);
    expect((await world.reportWithSecret(second, { status: 'finished', result: 'success' })).status).toBe(200);
    // The attempt is checked before the report is compared with the stored result.
    expect(await world.reportWithSecret(first, { status: 'finished', result: 'success' })).toMatchObject(stale);
    expect(await world.stateOf(id)).toBe('good');
  });

  it('fails after its fifth attempt is lost', async () => {
    const id = await world.experimentIn(work('rule14e'));
    for (let attempt = 1; attempt <= 5; attempt++) {
      const [claim] = await world.claim('rule14e');
      expect(claim.attempt).toBe(attempt);
      await world.loseLease(claim.execution.id);
      await reconcileLeases(engineContext(server, 'reconcile'));
      await world.skipPause(claim.execution.id);
    }
    expect(await world.executionOf(id, 'c')).toMatchObject({ status: 'finished', result: 'failed', attempt: 5 });
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: true }]);
  });
});
