/**
 * What the list of external systems and their checks read, with 50,000 subjects that have an ID in one system, none in the last, and 6,000
 * callbacks that name it: no more than the counts show.
 *
 * @module-tag sql
 */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  readsOf,
  rowsRead,
  sentPlan,
  sentStatements,
  statementsDuring,
  type Mode,
} from '../../testing/measure/sent-plans.ts';
import { analyzeWhole } from '../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { claimDueChecks } from '../../src/store/study/external-system-checks.ts';

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];

async function insertSystems(owner: Client): Promise<void> {
  await owner.query(`
    insert into cohorts (label) values ('one');
    insert into external_systems (system_name, url) select 'system ' || n, 'https://x' || n || '.site.org' from generate_series(1, 3000) n;
    update external_system_checks set next_at = now() + interval '5 minutes' where external_system_id > 30;
    insert into subjects (cohort_id, label) select 1, 'S' || n from generate_series(1, 50000) n;
    insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
      select id, 1, 1, 'X' || id from subjects;
    insert into workflows (label) values ('brain');
    insert into states (workflow_id, label, position) select 1, 'state ' || n, n from generate_series(1, 30) n;
    begin;
    insert into callbacks (state_id, label) select 1 + n % 30, 'c' || n from generate_series(1, 7000) n;
    insert into callback_versions (callback_id, version, workflow_revision, label, function, callback_arguments)
      select id, 1, 1, label, 'http', json_build_object('url', '{{external_systems.system ' || case when id <= 6000 then 1 else id % 3000 end || '}}')
      from callbacks;
    commit`);
  await analyzeWhole(owner);
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: { name: 'external_systems', insert: insertSystems } });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

describe.each([
  { path: '/external_system_rows?limit=1', links: 1000, callbacks: 3000 },
  { path: '/external_system_rows?limit=1&after=2999', links: 0, callbacks: 10 },
  { path: '/external_system_rows', links: 1000, callbacks: 3100 },
])('GET $path', ({ path, links, callbacks }) => {
  it.each(modes)('reads no more than it counts, in two statements, with %s', async (mode) => {
    const statements = await sentStatements(server, path, /\bexternal_systems\b/);
    expect(statements).toHaveLength(2);
    const plan = await sentPlan(server, statements[1] ?? { text: '', values: [] }, mode);
    if (process.env['MILEPOST_PRINT_PLANS'])
      process.stderr.write(`${path} ${mode} ${plan[0]?.['Shared Hit Blocks']} buffers\n`);
    expect(rowsRead(readsOf(plan, 'external_subject_links'))).toBe(links);
    expect(rowsRead(readsOf(plan, 'external_experiment_links'))).toBe(0);
    expect(readsOf(plan, 'callback_systems').map((node) => node['Index Name'])).toEqual([
      'callback_systems_name_index',
    ]);
    expect(rowsRead(readsOf(plan, 'callback_systems'))).toBeLessThanOrEqual(callbacks);
    expect(rowsRead(readsOf(plan, 'callbacks'))).toBeLessThanOrEqual(callbacks);
    expect(rowsRead(readsOf(plan, 'external_systems'))).toBeLessThanOrEqual(3000);
  });
});

it.each(modes)('a claim of due checks reads only those that are due, with %s', async (mode) => {
  const claim = () => claimDueChecks(server.database.db);
  const [statement] = await statementsDuring(claim, /update external_system_checks/);
  await server.sql(`update external_system_checks set next_at = now() - interval '1 s' where external_system_id <= 30`);
  const plan = await sentPlan(server, statement ?? { text: '', values: [] }, mode);
  expect(plan.map((node) => node['Index Name'])).toContain('external_system_checks_next_index');
  expect(rowsRead(readsOf(plan, 'external_system_checks'))).toBeLessThanOrEqual(30);
});
