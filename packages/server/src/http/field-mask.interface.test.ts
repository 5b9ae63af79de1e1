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
  ])('%j leaves what it names', (mask, left) => {
    expect(prune(readFields(mask), value)).toEqual(left);
  });

  it.each([undefined, '', '  '])('%j is everything', (mask) => {
    expect(readFields(mask)).toBe(everything);
  });

  it.each([
    '{',
    '}',
    '{a',
    'a}',
    '{a}}',
    '{a b}',
    '{a,,b}',
    '{a{b}c}',
    'a-b',
    '{"a"}',
    '{'.repeat(20),
    'a,'.repeat(4000),
  ])('%j is refused', (mask) => {
    expect(() => readFields(mask)).toThrow('The header X-Fields cannot be read');
  });
});

/** Every statement that reaches PostgreSQL while `work` runs, except that which reads the caller's account. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  const texts = query.mock.calls.map(([statement]: unknown[]) =>
    typeof statement === 'string' ? statement : (statement as { text: string }).text,
  );
  return texts.filter((text) => !text.includes('from "users"'));
}

describe('X-Fields decides what is queried', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await server.sql(`insert into cohorts (label) values ('large')`);
    await server.sql(`insert into subjects (cohort_id, label) select 1, 's' || n from generate_series(1, 100000) n`);
    await server.sql('analyze subjects');
    // Signs in, so that the statements of sign-in are not among those that are looked at.
    await server.call('getCohort', { params: { id: 1 }, fields: '{id}' });
  });
  afterAll(() => server.stop());
  afterEach(() => vi.restoreAllMocks());

  it('{label} on a cohort of 100,000 subjects reads the cohort and nothing else', async () => {
    const statements = await statementsOf(async () => {
      const { body } = await server.call('getCohort', { params: { id: 1 }, fields: '{label}' });
      expect(body).toEqual({ label: 'large' });
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain('from "cohorts"');
    expect(statements.join()).not.toContain('"subjects"');
  });

  it('without it, the subjects are read: by a cursor, as they are many', async () => {
    const statements = await statementsOf(async () => {
      const { body } = await server.call('getCohort', { params: { id: 1 } });
      expect(body.subjects).toHaveLength(100_000);
    });
    expect(statements.some((text) => text.startsWith('declare long_list') && text.includes('"subjects"'))).toBe(true);
    expect(statements.filter((text) => text.startsWith('fetch')).length).toBeGreaterThan(100);
  });
});
