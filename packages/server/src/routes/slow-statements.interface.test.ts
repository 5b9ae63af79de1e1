/**
 * How long the database may take for a request: 5 s for a statement, and longer where that was promised.
 *
 * @module-tag sql
 */
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { openTestDatabase } from '../../testing/open-database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { allowLongStatements, usualPatience, type Patience } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';

let server: TestServer;
let world: World;
/** For the tests of one block. */
function serving(patience?: Patience): void {
  beforeAll(async () => {
    server = await startTestServer({ ...(patience && { patience }) });
    world = createWorld(server);
  });
  afterAll(() => server.stop());
}

/** Does this before each row that is inserted into the table. */
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

describe('a statement that takes too long', () => {
  serving();

  it('is 503, to be tried again, and has written nothing (V15.2.2)', async () => {
    // Ends the statement as the limit of time does, and with the same code.
    await beforeInsert('cohorts', 'perform pg_cancel_backend(pg_backend_pid())');
    const answer = await createSlowCohort();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await server.sql(`select from cohorts where label = 'slow'`)).toEqual([]);
  });

  it('is ended after 5 s, waits 2 s for a lock, and where more was promised 120 s and 20 s', async () => {
    const { statementMs, lockMs } = usualPatience;
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

  it('may take 120 s where it is an erasure', async () => {
    await server.sql('create table limits (statement text); grant insert on limits to public');
    await beforeInsert('erasures', `insert into limits values (current_setting('statement_timeout'))`);
    expect((await eraseSubject()).status).toBe(200);
    expect(await server.sql('select statement from limits')).toEqual([{ statement: '2min' }]);
  });
});

describe('a statement that takes 6 s', { tags: ['nightly'] }, () => {
  serving(usualPatience);

  it('is ended, and the request is 503', async () => {
    await beforeInsert('cohorts', 'perform pg_sleep(6)');
    expect((await createSlowCohort()).status).toBe(503);
    expect(await server.sql(`select from cohorts where label = 'slow'`)).toEqual([]);
  });

  it('is not ended where it is an erasure', async () => {
    await beforeInsert('erasures', 'perform pg_sleep(6)');
    expect((await eraseSubject()).status).toBe(200);
  });
});
