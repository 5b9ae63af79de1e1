import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { everything, prune, readFields } from './field-mask.ts';

describe('readFields', () => {
  const value = { id: 1, label: 'a', cohort: { id: 2, label: 'b' }, list: [{ id: 3, label: 'c' }] };
  it.each([
    ['{label}', { label: 'a' }],
    ['label', { label: 'a' }],
    [' { id , label } ', { id: 1, label: 'a' }],
    ['{id,}', { id: 1 }],
    ['cohort{label},id', { id: 1, cohort: { label: 'b' } }],
    ['{list{id}}', { list: [{ id: 3 }] }],
    ['{cohort{label},*}', { ...value, cohort: { label: 'b' } }],
    ['*', value],
    ['{unknown}', {}],
    ['{}', {}],
  ])('keeps the fields that %j names', (mask, left) => {
    expect(prune(readFields(mask), value)).toEqual(left);
  });

  it.each([undefined, '', '  '])('includes all fields for %j', (mask) => {
    expect(readFields(mask)).toBe(everything);
  });

  it.each(['{', '}', '{a', 'a}', '{a}}', '{a b}', '{a,,b}', '{a{b}c}', '{{a}}', '{'.repeat(20), 'a,'.repeat(4000)])(
    'rejects %j',
    (mask) => {
      expect(() => readFields(mask)).toThrow('The header X-Fields is invalid');
    },
  );
});

/** All statements sent to PostgreSQL while `work` runs, except the one that reads the caller's account. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const texts = query.mock.calls.map(([statement]: unknown[]) =>
    typeof statement === 'string' ? statement : (statement as { text: string }).text,
  );
  return texts.filter((text) => !text.includes('from "users"'));
}

describe('the queries of a request', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await server.sql(`insert into cohorts (label) values ('large')`);
    await server.sql(`insert into subjects (cohort_id, label) select 1, 's' || n from generate_series(1, 100000) n`);
    await server.sql('analyze subjects');
    // Signs in first, so that the tests do not see the statements of sign-in.
    await server.call('getCohort', { params: { id: 1 }, fields: '{id}' });
  });
  afterAll(() => server.stop());
  afterEach(() => vi.restoreAllMocks());

  it('read only the cohort with X-Fields {label}, even if it has 100,000 subjects', async () => {
    const statements = await statementsOf(async () => {
      const { body } = await server.call('getCohort', { params: { id: 1 }, fields: '{label}' });
      expect(body).toEqual({ label: 'large' });
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain('from "cohorts"');
    expect(statements.join()).not.toContain('"subjects"');
  });

  it('read the subjects in batches of 500 if the request has no X-Fields', async () => {
    const statements = await statementsOf(async () => {
      const { body } = await server.call('getCohort', { params: { id: 1 } });
      expect(body.subjects).toHaveLength(100_000);
    });
    // The first 1000 subjects are one batch.
    const batches = statements.filter((text) => text.includes('from "subjects"') && text.includes(' limit '));
    expect(batches).toHaveLength(1 + 99_000 / 500 + 1);
  });
});
