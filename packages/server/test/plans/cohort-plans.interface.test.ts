/**
 * What one screen of a matrix reads, with 10,000 subjects and 8 experiments each: rows and buffers in proportion to the page, and not to
 * the cohort.
 *
 * @module-tag sql
 */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole } from '../../testing/rows/many-rows.ts';
import { rowsRead, sentPlan, sentStatements, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const subjects = 10_000;
const visits = 8;

async function insertCohort(owner: Client): Promise<void> {
  await owner.query('alter table experiments disable trigger search_written');
  await owner.query(`
    insert into cohorts (label) values ('small'), ('large');
    insert into subjects (cohort_id, label) select 2, 'MC-' || lpad(n::text, 5, '0') from generate_series(1, ${subjects}) n;
    insert into workflows (label) values ('brain');
    insert into workflow_revisions (workflow_id, revision, definition, definition_hash) values (1, 1, '', repeat('0', 64));
    insert into states (workflow_id, label, position) select 1, 'state ' || n, n from generate_series(1, 10) n;
    update states set decision = '{"due": "3d", "show": [], "fields": []}' where id = 9;
    insert into transitions (workflow_id, source_state_id, destination_state_id) select 1, n, n + 1 from generate_series(1, 9) n;
    insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence, resting_sequence, resting_since)
      select s.id, 2, 1, case when n < ${visits} then 10 else 9 end, s.label || '-month-' || 6 * n, 1, case when n = ${visits} and s.id % 100 = 0 then 1 end, now()
      from subjects s, generate_series(1, ${visits}) n order by s.id, n;
    insert into state_counts (state_id, cohort_id, experiments) select state_id, cohort_id, count(*) from experiments group by 1, 2;
    insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, actor_kind)
      select id, 1, 1 + id % 9, now() - interval '1 day', now(), true, 'engine' from experiments order by id;
    insert into incidents (experiment_id, kind, closed_at) select id, 'failed', now() + interval '1 hour' from experiments where id % 4 = 0;
    insert into incidents (experiment_id, kind) select id, 'failed' from experiments where id % 800 = 0;
    select fold_cohort_counts(null)`);
  await owner.query('alter table experiments enable trigger search_written');
  await analyzeWhole(owner);
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: { name: 'matrix', insert: insertCohort } });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const tables = /\b(experiments|subjects|cohorts|cohort_counts|state_counts|incidents|actions)\b/;

async function readBy(path: string, mode: Mode) {
  const statements = await sentStatements(server, path, tables);
  const plans = [];
  for (const statement of statements) plans.push(await sentPlan(server, statement, mode));
  const nodes = plans.flat().filter((node) => node['Relation Name'] !== undefined);
  const buffers = plans.map(([top]) => (top?.['Shared Hit Blocks'] ?? 0) + (top?.['Shared Read Blocks'] ?? 0));
  return {
    statements: statements.length,
    rows: nodes.reduce((sum, node) => sum + rowsRead([node]), 0),
    widest: Math.max(...nodes.map((node) => rowsRead([node]))),
    buffers: buffers.reduce((sum, one) => sum + one, 0),
  };
}

/** `widest` is the most rows that a node reads: 50 subjects with 8 experiments each. */
const cases = [
  { path: '/cohorts/2/matrix', statements: 3, widest: 400, rows: 1200, buffers: 2500 },
  { path: '/cohorts/2/matrix?after=9000', statements: 4, widest: 400, rows: 1200, buffers: 2500 },
  // The subjects to skip are read from the index only.
  { path: '/cohorts/2/matrix?offset=9000', statements: 4, widest: 9000, rows: 10_200, buffers: 2600 },
  // The numbers, the columns, and their order. 100 experiments need a decision, and 100 have an incident.
  { path: '/cohorts/2/summary', statements: 4, widest: 400, rows: 1000, buffers: 900 },
  // Each of the 100 decisions is looked up by its id, after its index entry, so that those of other cohorts are not.
  { path: '/cohort_rows', statements: 2, widest: 400, rows: 500, buffers: 700 },
  { path: '/workflow_rows', statements: 1, widest: 400, rows: 500, buffers: 700 },
  // 500 subjects are looked at, and none has a gap.
  { path: '/cohorts/2/matrix?gaps=any', statements: 4, widest: 4000, rows: 5000, buffers: 1800 },
  { path: '/cohorts/2/matrix?attention=any', statements: 3, widest: 400, rows: 1800, buffers: 3500 },
];

describe.each(cases)('GET $path', ({ path, ...most }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    'reads in proportion to the page with %s',
    async (mode) => {
      const read = await readBy(path, mode);
      if (process.env['MILEPOST_PRINT_PLANS']) process.stderr.write(`${path} ${mode} ${JSON.stringify(read)}\n`);
      expect(read.statements).toBe(most.statements);
      expect(read.widest).toBeLessThanOrEqual(most.widest);
      expect(read.rows).toBeLessThanOrEqual(most.rows);
      expect(read.buffers).toBeLessThanOrEqual(most.buffers);
    },
  );
});

it('looks up no experiment that waits for a decision in another cohort', async () => {
  const before = await readBy('/cohorts/2/summary', 'force_generic_plan');
  await server.sql(`
    with elsewhere as (insert into subjects (cohort_id, label) values (1, 'elsewhere') returning id)
    insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence, resting_sequence, resting_since)
      select elsewhere.id, 1, 1, 9, 'elsewhere ' || n, 1, 1, now() from elsewhere, generate_series(1, 5000) n`);
  await server.sql('vacuum analyze experiments');
  const after = await readBy('/cohorts/2/summary', 'force_generic_plan');
  expect(after.buffers - before.buffers).toBeLessThan(200);
});
