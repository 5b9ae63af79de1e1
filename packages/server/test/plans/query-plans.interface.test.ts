/**
 * Lists and sweeps only read the rows they return. No plan scans a whole table that grows to 100 M rows, or scans along its ids until
 * enough rows match, as `where state_id = 10 order by id limit 100` does. It took 315 ms instead of 1 ms at 1 M rows.
 *
 * @module-tag sql
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unguarded } from '../../testing/guard-versions.ts';
import { historyReads } from '../../testing/rows/history-entries.ts';
import { manyRows } from '../../testing/rows/many-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { nodes, rowsRead, type Plan } from '../../testing/measure/sent-plans.ts';
import { signInReads } from '../../testing/measure/sign-in-reads.ts';

let database: TestDatabase;
let app: Client;

beforeAll(async () => {
  database = await createTestDatabase({ rows: manyRows });
  app = new Client({ connectionString: database.databaseUrl });
  await app.connect();
  await app.query(unguarded);
});

afterAll(async () => {
  await app.end();
  await database.drop();
});

/** Runs the statement and rolls it back. */
async function planOf(sql: string): Promise<Plan[]> {
  await app.query('begin');
  const explain = `explain (analyze, timing off, format json) ${sql}`;
  const { rows } = await app.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain);
  await app.query('rollback');
  return (rows[0]?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodes(Plan));
}

interface Case {
  list: string;
  index: string;
  /** The number of rows, of 50,000, that the result needs. */
  rows: number;
  sql: string;
}

const cases: Case[] = [
  {
    list: 'a page of the experiments of a state',
    index: 'experiments_state_index',
    rows: 100,
    sql: `select id, label from experiments
      where (state_id, id) > (10, 49000) and state_id <= 10 order by state_id, id limit 100`,
  },
  {
    list: 'a page of the experiments that rest in a state',
    index: 'experiments_resting_index',
    rows: 50,
    sql: `select id from experiments where state_id = 2 and resting_sequence = action_sequence
      and resting_since > '2026-01-01' order by resting_since, id limit 50`,
  },
  {
    list: 'the number of experiments in a state',
    index: 'experiments_state_index',
    rows: 2000,
    sql: 'select count(*) from experiments where state_id = 10',
  },
  {
    list: 'a page of the experiments of a cohort',
    index: 'experiments_cohort_unique',
    rows: 100,
    sql: `select id, label from experiments
      where (cohort_id, id) > (10, 0) and cohort_id <= 10 order by cohort_id, id limit 100`,
  },
  {
    list: 'the last page of the experiments of all cohorts',
    index: 'experiments_pk',
    rows: 100,
    sql: 'select id, label from experiments where id > 49900 order by id limit 100',
  },
  {
    list: 'experiments of a subject',
    index: 'experiments_label_unique',
    rows: 2,
    sql: 'select id, label from experiments where subject_id = 77 order by id',
  },
  {
    list: 'experiments scanned on one day',
    index: 'experiments_scandate_index',
    rows: 48,
    sql: `select id from experiments where scandate >= '2021-03-01' and scandate < '2021-03-02' order by id`,
  },
  {
    list: 'an experiment by its label only',
    index: 'experiments_label_index',
    rows: 1,
    sql: `select id from experiments
      where lower(label) = lower('visit 77/1' collate "C") and label = 'visit 77/1' order by lower(label), id limit 10`,
  },
  ...['experiments', 'subjects'].map((table) => ({
    list: `${table} by label prefix`,
    index: `${table}_label_index`,
    rows: 10,
    sql: `select id from ${table} where lower(label) >= '${table === 'subjects' ? 'subject' : 'visit'} 2' order by lower(label), id limit 10`,
  })),
  {
    list: 'notes of an experiment',
    index: 'notes_experiment_index',
    rows: 1,
    sql: 'select id from notes where (experiment_id, id) > (77, 0) and experiment_id <= 77 order by experiment_id, id',
  },
  {
    list: 'withdrawn subjects',
    index: 'subjects_withdrawn_index',
    rows: 25,
    sql: 'select id from subjects where withdrawn_at is not null',
  },
  {
    list: 'the latest request to erase a subject',
    index: 'erasure_requests_subject_index',
    rows: 1,
    sql: 'select id from erasure_requests where subject_id = 77 order by id desc limit 1',
  },
  {
    list: 'an experiment by its external ID',
    index: 'external_experiment_links_external_id_index',
    rows: 1,
    sql: `select experiment_id from external_experiment_links
      where external_system_id = 1 and left(external_id, 255) = left('XNAT_E77', 255) and external_id = 'XNAT_E77'`,
  },
  ...['external_subject_links', 'external_experiment_links', 'scans'].map((table) => ({
    list: `a page of the ${table} of a cohort`,
    index: `${table}_cohort_index`,
    rows: 100,
    sql: `select id from ${table}
      where (cohort_id, id) > (10, 0) and cohort_id <= 10 order by cohort_id, id limit 100`,
  })),
  {
    list: 'scans of an experiment',
    index: 'scans_experiment_index',
    rows: 1,
    sql: 'select id from scans where experiment_id = 77 and cohort_id = 4',
  },
  {
    list: 'a page of the subjects of a cohort',
    index: 'subjects_cohort_index',
    rows: 100,
    sql: `select id, label from subjects
      where (cohort_id, id) > (10, 0) and cohort_id <= 10 order by cohort_id, id limit 100`,
  },
  {
    list: 'the latest action of an experiment',
    index: 'actions_sequence_unique',
    rows: 1,
    sql: 'select id from actions where experiment_id = 77 order by sequence desc limit 1',
  },
  {
    list: 'executions of an action',
    index: 'callback_executions_callback_unique',
    rows: 1,
    sql: 'select id, status from callback_executions where action_id = 77',
  },
  {
    list: 'a page of the executions of a callback',
    index: 'callback_executions_callback_index',
    rows: 100,
    sql: `select id from callback_executions
      where (callback_id, id) > (10, 0) and callback_id <= 10 order by callback_id, id limit 100`,
  },
  {
    // clock_timestamp() changes while the statement runs, so no index can use it.
    list: 'executions past their deadline',
    index: 'callback_executions_deadline_index',
    rows: 10,
    sql: 'select id from callback_executions where deadline <= now() order by deadline limit 100 for update skip locked',
  },
  {
    list: 'unclaimed executions',
    index: 'callback_executions_unclaimed_index',
    rows: 500,
    sql: `select id from callback_executions where status in ('created', 'queued') and created < now() - interval '15 minutes'`,
  },
  {
    list: 'the open incident of a queue',
    index: 'incidents_open_queue_unique',
    rows: 1,
    sql: `select id from incidents where queue = 'pull/gpu' and queue is not null and closed_at is null`,
  },
  {
    list: 'executions between two attempts',
    index: 'callback_executions_next_attempt_index',
    rows: 100,
    sql: `select id from callback_executions where next_attempt_at < now() - interval '1 minute'`,
  },
  {
    list: 'executions that are failing',
    index: 'callback_executions_failing_index',
    rows: 100,
    sql: `select failing_since from callback_executions where failing_since is not null and status = 'running'`,
  },
  {
    list: 'a page of running executions',
    index: 'callback_executions_open_index',
    rows: 100,
    sql: `select id from callback_executions where status = 'running' and id > 20000 order by id limit 100`,
  },
  {
    list: 'running attempts',
    index: 'execution_attempts_open_index',
    rows: 100,
    sql: 'select execution_id, heartbeat_at from execution_attempts where ended_at is null order by execution_id limit 100',
  },
  {
    list: 'a page of open incidents',
    index: 'incidents_open_index',
    rows: 100,
    sql: 'select id from incidents where closed_at is null and id > 20000 order by id limit 100',
  },
  {
    list: 'open incidents of an experiment',
    index: 'incidents_open_unique',
    rows: 1,
    sql: 'select id from incidents where experiment_id = 100 and closed_at is null',
  },
  {
    list: 'all incidents of an experiment',
    index: 'incidents_experiment_index',
    rows: 1,
    sql: 'select id from incidents where (experiment_id, id) > (100, 0) and experiment_id <= 100 order by experiment_id, id',
  },
  {
    list: 'a page of open incidents of a rare kind',
    index: 'incidents_open_kind_index',
    rows: 30,
    sql: `select id from incidents
      where closed_at is null and (kind, id) > ('brake', 20000) and kind <= 'brake' order by kind, id limit 100`,
  },
  {
    list: 'a page of incidents of a rare kind',
    index: 'incidents_kind_index',
    rows: 60,
    sql: `select id from incidents
      where (kind, id) > ('brake', 20000) and kind <= 'brake' order by kind, id limit 100`,
  },
  ...historyReads,
  {
    list: 'the tail of the events',
    index: 'events_tail_index',
    rows: 101,
    sql: `select xid, id from events where (xid, id) > ((select xid from events where id = 30000), 30000)
      and xid < pg_snapshot_xmin(pg_current_snapshot()) order by xid, id limit 100`,
  },
  {
    list: 'expired idempotency keys',
    index: 'idempotency_keys_created_at_index',
    rows: 7000,
    sql: `delete from idempotency_keys where created_at < now() - interval '24 hours'`,
  },
  {
    list: 'executions whose logs are due for removal',
    index: 'callback_executions_logs_index',
    rows: 200,
    sql: `select id from callback_executions where logs_removed_at is null and finished < now() + interval '1 minute'
      and finished is not null and (run_log <> '' or result_log <> '' or attempt > 0) order by finished limit 200`,
  },
  ...signInReads,
];

describe.each(cases.map((one) => [one.list, one] as const))('the query for %s', (_list, { index, rows, sql }) => {
  it(`reads at most ${rows} rows with ${index}`, async () => {
    const plan = await planOf(sql);
    expect(plan.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(plan.map((node) => node['Index Name'])).toContain(index);
    expect(rowsRead(plan)).toBeLessThanOrEqual(rows);
  });
});

it('a query for a page of the experiments of a state scans along the ids if it is ordered by id only', async () => {
  const plan = await planOf('select id, label from experiments where state_id = 10 order by id limit 100');
  expect(rowsRead(plan)).toBeGreaterThan(40_000);
});

it('the cases cover every index that does not belong to a constraint', async () => {
  const { rows } = await app.query<{ name: string }>(`
    select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not relname ~ '^(bulk|import|insight)' and not exists (select from pg_constraint where conindid = indexrelid)`);
  // The first two are on small tables. The third is used like that of experiment links. Other plans are in files of their own here.
  const others = ['user_roles_role_index', 'transitions_workflow_index', 'external_subject_links_external_id_index'];
  const ofAttention = ['incidents_open_group_index', 'incidents_open_ungrouped_index', 'follow_ups_assignee_index'];
  // One is on a small table, one for many assignments with few snoozes: here, more have follow-ups than rest. The last is in this folder.
  const rare = ['verifications_unfinished_unique', 'follow_ups_snoozed_index', 'callback_executions_troubled_index'];
  const elsewhere = ['callback_executions_result_index', 'views_cohort_index', 'subjects_cohort_label_index']; // in this folder
  const ofQueries = ['callback_executions_cause_index', 'actions_arriving_index', 'actions_leaving_index']; // there, too
  const ofCohorts = ['cohort_counts_amount_index', 'cohort_counts_zero_index', 'state_counts_cohort_index']; // there, too
  const ofPages = ['callback_systems_name_index', 'external_system_checks_next_index', 'history_own_changes_index'];
  const listed = [...others, ...ofAttention, ...rare, ...elsewhere, ...ofQueries, ...ofCohorts, ...ofPages];
  const read = new Set([...cases.map((known) => known.index), ...listed]);
  expect(rows.map((row) => row.name).filter((name) => !read.has(name))).toEqual([]);
});
