/**
 * Rule 14: attempts, their secrets, and what becomes of those whose worker is lost.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineAs } from '../../../testing/engine-as.ts';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { reconcileLeases } from './reconcile.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const loseLease = (id: number) =>
  server.sql(
    `update execution_attempts set started_at = now() - interval '1 minute', heartbeat_at = now() - interval '1 minute'
     where execution_id = $1 and ended_at is null`,
    [id],
  );

/** The pause before the next attempt is over. */
const passPause = (id: number) =>
  server.sql(
    `with due as (update callback_executions set next_attempt_at = now()
       where id = $1 and next_attempt_at is not null returning id)
     update pgboss.job set start_after = now() from due where data ->> 'execution_id' = due.id::text`,
    [id],
  );

const withSecret = (id: number, secret: string) => ({
  params: { id },
  as: null,
  headers: { authorization: `Bearer ${secret}` },
});

describe('rule 14: attempts and their secrets', () => {
  it('a wrong secret is 403, whether or not the execution exists; the right one opens its own and nothing else', async () => {
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

  it('is never shown again: not in answers, history or events', async () => {
    await world.experimentIn(work('rule14b'));
    const [claim] = await world.claim('rule14b');
    await world.reportBy(claim, { status: 'finished', result: 'success' });
    const { body } = await server.call('getCallbackExecution', { params: { id: claim.execution.id } });
    const [kept] = await server.sql<{ text: string }>(
      `select (select string_agg(h::text, '') from history_with_values h) || (select string_agg(e::text, '') from events e) as text`,
    );
    expect(JSON.stringify(body)).not.toContain(claim.secret);
    expect(kept?.text).not.toContain(claim.secret);
  });

  it('a person decides over a run: its worker is told to stop at the next renewal', async () => {
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

  it('a lost lease leads to another attempt, and the report of the first is stale', async () => {
    const id = await world.experimentIn(work('rule14d'));
    const [first] = await world.claim('rule14d');
    await loseLease(first.execution.id);
    expect(await reconcileLeases(engineAs(server, 'reconcile'))).toBe(1);
    // 5 s, a fifth more or less.
    const [pause] = await server.sql<{ seconds: number }>(
      `select extract(epoch from next_attempt_at - ended_at)::float as seconds
       from callback_executions one join execution_attempts on execution_id = one.id where one.id = $1`,
      [first.execution.id],
    );
    expect(Math.abs((pause?.seconds ?? 0) - 5)).toBeLessThanOrEqual(1);
    await passPause(first.execution.id);
    const [second] = await world.claim('rule14d');
    expect(second).toMatchObject({ execution: { id: first.execution.id }, attempt: 2 });
    expect(second.secret).not.toBe(first.secret);
    const stale = { status: 409, body: { code: 'stale_attempt' } };
    expect(await world.reportBy(first, { status: 'finished', result: 'failed' })).toMatchObject(stale);
    const renewal = {
      params: { execution_id: first.execution.id },
      as: null,
      headers: { authorization: `Bearer ${first.secret}` },
      body: {},
    };
    expect(await server.call('renewClaim', renewal)).toMatchObject(stale);
    expect((await world.reportBy(second, { status: 'finished', result: 'success' })).status).toBe(200);
    // The stale attempt is judged before the end that it could repeat.
    expect(await world.reportBy(first, { status: 'finished', result: 'success' })).toMatchObject(stale);
    expect(await world.stateOf(id)).toBe('good');
  });

  it('after five lost attempts the execution has failed', async () => {
    const id = await world.experimentIn(work('rule14e'));
    for (let attempt = 1; attempt <= 5; attempt++) {
      const [claim] = await world.claim('rule14e');
      expect(claim.attempt).toBe(attempt);
      await loseLease(claim.execution.id);
      await reconcileLeases(engineAs(server, 'reconcile'));
      await passPause(claim.execution.id);
    }
    expect(await world.executionOf(id, 'c')).toMatchObject({ status: 'finished', result: 'failed', attempt: 5 });
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: true }]);
  });
});
