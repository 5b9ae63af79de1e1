/** What an error of PostgreSQL leaves in the log: its cause, and nothing of the row that it speaks of. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../testing/postgres.ts';
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

/** What PostgreSQL says to a statement that it refuses. */
const refusalOf = (statement: string): Promise<Error & { detail?: string; where?: string }> =>
  withClient(server.testDatabase.ownerUrl, (client) =>
    client.query(statement).then(
      () => {
        throw new Error('PostgreSQL took it');
      },
      (error: Error) => error,
    ),
  );

describe('an error of PostgreSQL', () => {
  it('that carries the refused row in its detail is logged without it', async () => {
    const error = await refusalOf(`insert into cohorts (label, description) values ('', '${secret}')`);
    expect(error.detail).toContain(secret);
    lines = [];
    createLogger(logging, logTo).error({ err: error }, 'refused');
    expect(lines.join('')).not.toContain(secret);
    expect(logged()).toMatchObject([
      { msg: 'refused', err: { code: '23514', table: 'cohorts', message: expect.stringContaining('violates check') } },
    ]);
  });

  it('that carries a value in the place where it happened is logged without it', async () => {
    const error = await refusalOf(`do $$ begin execute format('select %L::text from nowhere', '${secret}'); end $$`);
    expect(JSON.stringify(error)).toContain(secret);
    lines = [];
    createLogger(logging, logTo).error({ err: error }, 'refused');
    expect(lines.join('')).not.toContain(secret);
    expect(logged()).toMatchObject([{ err: { code: '42P01' } }]);
  });

  it('that is the cause of another is logged without the row', async () => {
    const cause = await refusalOf(`insert into cohorts (label, description) values ('', '${secret}')`);
    lines = [];
    createLogger(logging, logTo).error({ err: new Error('the outer one', { cause }) }, 'refused');
    expect(lines.join('')).not.toContain(secret);
    expect(logged()[0]?.err?.['message']).toContain('violates check');
  });
});

describe('a request that fails for what nobody foresaw', () => {
  it('is 500, and the log has the cause under its id, without the row (V16.3.4, V16.5.1)', async () => {
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
