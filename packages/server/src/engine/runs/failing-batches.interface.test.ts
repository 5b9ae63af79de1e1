/**
 * An execution that fails does not affect the others of its batch, and no started attempt is left without a worker.
 *
 * @module-tag sql
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { openDatabase, type Database } from '../../database/connection.ts';
import { checkTimeouts } from './check-timeouts.ts';
import { startAttempts } from './start-attempts.ts';

let server: TestServer;
let world: EngineWorld;
let other: Client;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  await server.sql(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'no disk space'; end $$`);
  other = new Client({ connectionString: server.testDatabase.ownerUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await server.stop();
});
afterEach(async () => {
  await other.query('rollback');
  await server.sql('drop trigger if exists fails on callback_executions');
  await server.sql('drop trigger if exists fails on pgboss.job_common');
});

async function executionIn(queue: string, more = '') {
  const experiment = await world.experimentIn(pulledWorkflow(queue, more));
  return { experiment, id: (await world.executionOf(experiment, 'c')).id };
}

/** Its evaluation skips it, which is a change. */
const toSkip = `, condition: "experiment.label == 'none'"`;

const lock = async ({ experiment }: { experiment: number }) => {
  await other.query('begin');
  await other.query('select from experiments where id = $1 for no key update', [experiment]);
};

const failInserts = () =>
  server.sql('create trigger fails before insert on pgboss.job_common for each row execute function fail()');
const failUpdates = ({ id }: { id: number }) =>
  server.sql(`create trigger fails before update on callback_executions for each row when (old.id = ${id})
    execute function fail()`);

/** A context that records the errors. */
function recording(operation: string, { database }: { database: Database } = server) {
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push((error as Error).message);
  return { errors, context: { ...engineContext({ database }, operation), onError } };
}

const idsOf = (started: readonly { execution: { id: number } }[]) => started.map(({ execution }) => execution.id);

describe('startAttempts', () => {
  it('returns the attempts that it started if the others cannot be postponed', async () => {
    const [locked, free] = [await executionIn('kept'), await executionIn('kept')];
    await lock(locked);
    await failInserts();
    const { context, errors } = recording('runCallback');
    expect(idsOf(await startAttempts(context, [locked.id, free.id], 'w'))).toEqual([free.id]);
    expect(errors).toEqual(['no disk space']);
  });

  it('throws if nothing was started', async () => {
    const locked = await executionIn('none');
    await lock(locked);
    await failInserts();
    const { context } = recording('runCallback');
    await expect(startAttempts(context, [locked.id], 'w')).rejects.toThrow('no disk space');
  });

  it('starts the other executions if the evaluation of one fails', async () => {
    const [failing, free] = [await executionIn('poison', toSkip), await executionIn('poison')];
    await failUpdates(failing);
    const { context, errors } = recording('runCallback');
    expect(idsOf(await startAttempts(context, [failing.id, free.id], 'w'))).toEqual([free.id]);
    expect(errors).toEqual(['no disk space']);
    expect(await world.executionOf(failing.experiment, 'c')).toMatchObject({ status: 'queued', attempt: 0 });
  });

  it('starts the other executions if the evaluation of one gets no connection', async () => {
    const [locked, skipped, free] = [
      await executionIn('pool', toSkip),
      await executionIn('pool', toSkip),
      await executionIn('pool'),
    ];
    const database = openDatabase({
      databaseUrl: server.testDatabase.databaseUrl,
      poolSize: 1,
      streamPoolSize: 1,
      statementSeconds: 60,
      timeouts: { connectMs: 1000 },
      onError: () => undefined,
    });
    await database.pool.query('select');
    await lock(locked);
    const { context, errors } = recording('runCallback', { database });
    // The evaluation of the locked one holds the only connection until another one has failed to get it.
    const onError = (error: unknown) => {
      context.onError(error);
      void other.query('rollback');
    };
    const started = await startAttempts({ ...context, onError }, [locked.id, skipped.id, free.id], 'w');
    expect(idsOf(started)).toEqual([free.id]);
    expect(new Set(errors)).toEqual(new Set(['timeout exceeded when trying to connect']));
    await database.close();
  });
});

describe('POST /worker/claims', () => {
  it('returns the claims that it started if the others cannot be postponed', async () => {
    const [locked, free] = [await executionIn('claimed'), await executionIn('claimed')];
    await lock(locked);
    await failInserts();
    const { status, body } = await server.call('claimExecutions', { body: { queues: ['claimed'], max: 2 } });
    expect(status).toBe(200);
    expect(body.claims).toMatchObject([{ execution: { id: free.id }, attempt: 1 }]);
  });
});

describe('checkTimeouts', () => {
  it('ends the other executions if one fails', async () => {
    const all = [await executionIn('swept'), await executionIn('swept'), await executionIn('swept')] as const;
    await world.claim('swept', { max: all.length });
    await server.sql('update callback_executions set deadline = now() where id = any($1)', [all.map(({ id }) => id)]);
    await failUpdates(all[1]);
    const { context, errors } = recording('checkTimeouts');
    expect(await checkTimeouts(context)).toEqual({ run_timeouts: 2, wait_timeouts: 0 });
    expect(errors).toEqual(['no disk space']);
  });
});
