/** The log of PostgreSQL errors: their cause, but nothing of the rejected row. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../testing/test-database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createLogger } from './log.ts';

const secret = 'Jane Roe, born 1950-12-31';
let lines: string[] = [];
const logging = { logLevel: 'info', secrets: [] };
const logTo = { write: (line: string) => void lines.push(line) };
const logged = () => lines.map((line) => JSON.parse(line) as { err?: Record<string, unknown>; msg?: string });
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ logTo });
});
afterAll(() => server.stop());

/** The error that PostgreSQL raises for a statement. */
const errorOf = (statement: string): Promise<Error & { detail?: string; where?: string }> =>
  withClient(server.testDatabase.ownerUrl, (client) =>
    client.query(statement).then(
      () => {
        throw new Error('PostgreSQL accepted the statement');
      },
      (error: Error) => error,
    ),
  );

describe('an error of PostgreSQL', () => {
  it('is logged without the rejected row in its detail', async () => {
    const error = await errorOf(`insert into cohorts (label, description) values ('', '${secret}')`);
    expect(error.detail).toContain(secret);
    lines = [];
    createLogger(logging, logTo).error({ err: error }, 'rejected');
    expect(lines.join('')).not.toContain(secret);
    expect(logged()).toMatchObject([
      { msg: 'rejected', err: { code: '23514', table: 'cohorts', message: expect.stringContaining('violates check') } },
    ]);
  });

  it('is logged without the value in its context', async () => {
    const error = await errorOf(`do $$ begin execute format('select %L::text from nowhere', '${secret}'); end $$`);
    expect(JSON.stringify(error)).toContain(secret);
    lines = [];
    createLogger(logging, logTo).error({ err: error }, 'rejected');
    expect(lines.join('')).not.toContain(secret);
    expect(logged()).toMatchObject([{ err: { code: '42P01' } }]);
  });

  it('is logged without the row if it is the cause of another error', async () => {
    const cause = await errorOf(`insert into cohorts (label, description) values ('', '${secret}')`);
    lines = [];
    createLogger(logging, logTo).error({ err: new Error('the outer one', { cause }) }, 'rejected');
    expect(lines.join('')).not.toContain(secret);
    expect(logged()[0]?.err?.['message']).toContain('violates check');
  });
});

describe('a request that fails unexpectedly', () => {
  it('returns 500, and its cause is logged with the request id but without the row (V16.3.4, V16.5.1)', async () => {
    await server.sql(`alter table cohorts add column unforeseen text not null default ''`);
    await server.sql('alter table cohorts alter column unforeseen drop default');
    lines = [];
    const { status, body } = await server.call('createCohort', { body: { label: 'x', description: secret } });
    await server.sql('alter table cohorts drop column unforeseen');
    expect([status, body.code]).toEqual([500, 'internal_error']);
    expect(JSON.stringify(body)).not.toContain(secret);
    const entry = logged().find(({ err }) => err);
    expect(entry).toMatchObject({ reqId: body.request_id, err: { code: '23502', column: 'unforeseen' } });
    expect(lines.join('')).not.toContain(secret);
  });
});
