/**
 * Statement timeouts: 5 s for a request, and longer for some operations.
 *
 * @module-tag sql
 */
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/cases/world.ts';
import { openTestDatabase } from '../testing/open-database.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { allowLongStatements, timeoutsFor, type Timeouts } from '../src/database/connection.ts';
import { inTransaction } from '../src/database/transaction.ts';

const defaultTimeouts = timeoutsFor(5);

let server: TestServer;
let world: World;
/** Starts a server for the tests of one block. */
function useServer(timeouts?: Timeouts): void {
  beforeAll(async () => {
    server = await startTestServer({ ...(timeouts && { timeouts }) });
    world = createWorld(server);
  });
  afterAll(() => server.stop());
}

/** Runs the statement before each insert into the table. */
async function beforeInsert(table: string, statement: string): Promise<void> {
  await server.sql(`create or replace function interrupt() returns trigger language plpgsql as
    $$ begin ${statement}; return new; end $$`);
  await server.sql(`create trigger interrupts before insert on ${table} for each row execute function interrupt()`);
}

const createSlowCohort = async () => {
  const answer = await server.call('createCohort', { body: { label: 'slow' } });
  await server.sql('drop trigger interrupts on cohorts');
  return answer;
};

async function eraseSubject() {
  const { id, label } = await world.subject();
  await server.call('withdrawSubject', { params: { id }, body: { reason: 'moved away', date: '2026-03-01' } });
  const { body } = await server.call('requestErasure', { params: { id }, body: { reason: 'asked for it' } });
  return server.call('eraseSubject', { params: { id }, body: { erasure_id: body.id, label } });
}

describe('the statement timeout', () => {
  useServer();

  it('causes 503 with Retry-After and prevents all writes (V15.2.2)', async () => {
    // Cancels the statement with the same error code as the timeout.
    await beforeInsert('cohorts', 'perform pg_cancel_backend(pg_backend_pid())');
    const answer = await createSlowCohort();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await server.sql(`select from cohorts where label = 'slow'`)).toEqual([]);
  });

  it('is 5 s (2 s for locks), and 120 s in long operations (20 s for locks)', async () => {
    const { statementMs, lockMs } = defaultTimeouts;
    const usual = openTestDatabase(server.testDatabase.databaseUrl, { statementMs, lockMs });
    const limits = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
    expect((await usual.pool.query(limits)).rows).toEqual([{ statement: '5s', lock: '2s' }]);
    const { rows } = await inTransaction(usual.db, async (tx) => {
      await allowLongStatements(tx);
      return tx.executeQuery(CompiledQuery.raw(limits));
    });
    expect(rows).toEqual([{ statement: '2min', lock: '20s' }]);
    await usual.close();
  });

  it('is 120 s in an erasure', async () => {
    await server.sql('create table limits (statement text); grant insert on limits to public');
    await beforeInsert('erasures', `insert into limits values (current_setting('statement_timeout'))`);
    expect((await eraseSubject()).status).toBe(200);
    expect(await server.sql('select statement from limits')).toEqual([{ statement: '2min' }]);
  });
});

describe('a statement that takes 6 s', { tags: ['nightly'] }, () => {
  useServer(defaultTimeouts);

  it('is cancelled, and the request returns 503', async () => {
    await beforeInsert('cohorts', 'perform pg_sleep(6)');
    expect((await createSlowCohort()).status).toBe(503);
    expect(await server.sql(`select from cohorts where label = 'slow'`)).toEqual([]);
  });

  it('is not cancelled in an erasure', async () => {
    await beforeInsert('erasures', 'perform pg_sleep(6)');
    expect((await eraseSubject()).status).toBe(200);
  });
});
