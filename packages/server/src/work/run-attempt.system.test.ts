/** The outcome of a run that cannot be stored at first, and the leases of two attempts of one execution in one worker. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startWebServer } from '../../testing/counterparts/web-server.ts';
import { engineContext } from '../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { withClient } from '../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/processes/worker-process.ts';
import { inTransaction } from '../database/transaction.ts';
import { reconcileLeases } from '../engine/runs/recover-lost-work.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

async function startWorker(allowed: string): Promise<WorkerProcess> {
  const worker = await startWorkerProcess({
    DATABASE_URL: server.testDatabase.databaseUrl,
    MILEPOST_OUTGOING_ALLOW: allowed,
    MILEPOST_LOG_LEVEL: 'error',
  });
  // Stops the worker even if the test fails, because it would run the jobs of the next test.
  onTestFinished(async () => {
    await worker.stop();
  });
  return worker;
}

const calling = (origin: string) => `states:
  - label: run
    callbacks: [{label: c, function: http, callback_arguments: {url: "${origin}/"}}]
    transitions: [{destination: done, condition: "callbacks['c'].result == 'success'"}]
  - label: done
`;

/** A web server whose responses the test sends, and the pending responses. */
async function startPatientServer() {
  const pending: ServerResponse[] = [];
  const web = await startWebServer((request, response) => {
    request.resume();
    pending.push(response);
  });
  return { ...web, pending };
}

describe('the outcome of a run that cannot be stored at first', () => {
  it('is stored later, without running the callback again', async () => {
    const web = await startPatientServer();
    const worker = await startWorker(web.origin);
    const experiment = await world.experimentIn(calling(web.origin));
    await expect.poll(() => web.pending.length).toBe(1);
    await withClient(server.testDatabase.ownerUrl, async (client) => {
      await client.query('begin');
      // Locks the workflow for longer than the worker waits.
      await client.query(
        'select from workflows where id = (select workflow_id from experiments where id = $1) for update',
        [experiment],
      );
      web.pending[0]?.writeHead(200).end();
      await expect.poll(() => worker.output()).toContain('worker error');
      expect(await world.executionOf(experiment, 'c')).toMatchObject({ status: 'running', attempt: 1 });
      await client.query('rollback');
    });
    await expect.poll(() => world.stateOf(experiment)).toBe('done');
    expect(await world.executionOf(experiment, 'c')).toMatchObject({ result: 'success', attempt: 1 });
    expect(web.pending).toHaveLength(1);
    await web.stop();
  });
});

/** Ends the attempt as if its worker had sent no heartbeat for a minute, and makes the next one start immediately. */
const lose = (id: number): Promise<number> =>
  inTransaction(server.database.db, async (tx) => {
    // Uses one transaction, so that no heartbeat arrives in between.
    await sql`delete from contact_gaps`.execute(tx);
    await sql`update contact set at = now()`.execute(tx);
    await sql`update execution_attempts set started_at = now() - interval '1 minute', heartbeat_at = now() - interval '1 minute'
      where execution_id = ${id}`.execute(tx);
    const lost = await reconcileLeases({ ...engineContext(server, 'reconcile'), db: tx });
    await sql`update callback_executions set next_attempt_at = now(), version = version + 1 where id = ${id}`.execute(
      tx,
    );
    await sql`update pgboss.job_common set created_on = now(), start_after = now() where data ->> 'execution_id' = ${id}::text`.execute(
      tx,
    );
    return lost;
  });
const now = async (): Promise<Date> => {
  const [row] = await server.sql<{ now: Date }>('select clock_timestamp() as now');
  return row?.now ?? new Date(0);
};
const beatAfter = async (id: number, attempt: number, time: Date): Promise<boolean> => {
  const [row] = await server.sql<{ later: boolean }>(
    'select heartbeat_at > $3 as later from execution_attempts where execution_id = $1 and attempt = $2',
    [id, attempt, time],
  );
  return row?.later === true;
};

describe('two attempts of one execution in one worker', () => {
  it('are independent, so the first is stopped and the lease of the second is renewed', async () => {
    const web = await startPatientServer();
    await startWorker(web.origin);
    const experiment = await world.experimentIn(calling(web.origin));
    await expect.poll(() => web.pending.length).toBe(1);
    const { id } = await world.executionOf(experiment, 'c');
    const [first] = web.pending;
    const firstClosed = first && once(first, 'close');
    // As if the worker had been frozen. It gets the job again before its next heartbeat, which is six seconds away.
    const begun = await now();
    await expect.poll(() => beatAfter(id, 1, begun)).toBe(true);
    expect(await lose(id)).toBe(1);
    await expect.poll(() => web.pending.length).toBe(2);
    await firstClosed;
    const alone = await now();
    await expect.poll(() => beatAfter(id, 2, alone)).toBe(true);
    web.pending[1]?.writeHead(200).end();
    await expect.poll(() => world.stateOf(experiment)).toBe('done');
    expect(await world.executionOf(experiment, 'c')).toMatchObject({ result: 'success', attempt: 2 });
    await web.stop();
  });
});
