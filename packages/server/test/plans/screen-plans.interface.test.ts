/**
 * Query plans of the statements that the server sends for pages of the web application, with 50,000 experiments: a page of 100
 * takes as many statements as a page of 1, and none reads more rows of a large table than the page needs.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { withClient } from '../../testing/test-database.ts';
import { rowsRead, sentPlan, sentStatements, type Mode } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // Only some of the last executions wait, which a scan in id order would find last.
    await client.query(`update callback_executions set status = 'waiting', result = 'none', finished = null,
      wait_start = run_start where id > 49000 and id % 10 = 7`);
    await client.query(`update states set decision = '{"due": "3d", "show": [], "fields": []}', version = version + 1`);
    await client.query(`update callback_executions set attempt = 1, failures = 1 where id % 500 = 0`);
    // 450 open failures of 25 causes.
    await client.query(`update incidents set cause_group = (id / 100 % 25) || '-0123456789abcdef', execution_id = id
      where closed_at is null and kind = 'failed'`);
    await client.query(`insert into experiment_variables (experiment_id, name, value)
      select id, name, to_jsonb('Prisma ' || id) from experiments, unnest(array['scanner', 'site']) as name`);
    // They have no passwords, so they would count as service accounts.
    await client.query('update users set awaits_password = true where password_hash is null');
    await analyzeWhole(client, 'experiment_variables');
    await analyzeWhole(client, 'callback_executions');
    await analyzeWhole(client, 'incidents');
  });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const large = new Set([
  'experiments',
  'experiment_variables',
  'subjects',
  'actions',
  'callback_executions',
  'execution_attempts',
  'history',
  'incidents',
  'notes',
  'scans',
]);

interface Case {
  request: string;
  /** One of them checks the objects that filters name, if there are any. */
  statements: number;
  /** The maximum number of rows that one node of a plan reads. */
  rows: number;
  /** One of the indexes used. */
  index: string;
}

const page = 'limit=100';
const cases: Case[] = [
  { request: `/experiment_rows?${page}`, statements: 4, rows: 101, index: 'experiments_pk' },
  { request: `/experiment_rows?${page}&after=49000`, statements: 4, rows: 101, index: 'experiments_pk' },
  { request: `/experiment_rows?${page}&state_id=10`, statements: 5, rows: 101, index: 'experiments_state_index' },
  { request: `/experiment_rows?${page}&state_id=3`, statements: 5, rows: 101, index: 'experiments_state_index' },
  { request: `/experiment_rows?${page}&cohort_id=10`, statements: 5, rows: 101, index: 'experiments_cohort_unique' },
  { request: `/experiment_rows?${page}&subject_id=77`, statements: 5, rows: 101, index: 'experiments_label_unique' },
  // A page of each of ten states.
  { request: `/experiment_rows?${page}&workflow_id=1`, statements: 5, rows: 1010, index: 'experiments_state_index' },
  { request: `/experiment_rows?${page}&label=VISIT%202`, statements: 4, rows: 101, index: 'experiments_label_index' },
  {
    request: `/experiment_rows?${page}&label=visit%202&after=30000`,
    statements: 4,
    rows: 101,
    index: 'experiments_label_index',
  },
  // 500 open incidents.
  { request: `/experiment_rows?${page}&incident=any`, statements: 4, rows: 102, index: 'incidents_open_unique' },
  { request: `/experiment_rows?${page}&incident=brake`, statements: 4, rows: 500, index: 'incidents_open_unique' },
  { request: `/experiment_rows?${page}&incident=none`, statements: 4, rows: 103, index: 'incidents_open_unique' },
  // All executions with the status are sorted: 100 wait, 500 run, 500 are queued.
  {
    request: `/experiment_rows?${page}&status=waiting`,
    statements: 4,
    rows: 101,
    index: 'callback_executions_open_index',
  },
  {
    request: `/experiment_rows?${page}&status=running`,
    statements: 4,
    rows: 501,
    index: 'callback_executions_open_index',
  },
  {
    request: `/experiment_rows?${page}&status=queued`,
    statements: 4,
    rows: 501,
    index: 'callback_executions_unclaimed_index',
  },
  {
    request: `/experiment_rows?${page}&status=waiting&incident=none&workflow_id=1&cohort_id=10`,
    statements: 5,
    rows: 101,
    index: 'callback_executions_open_index',
  },
  // 500 incidents are counted, and a page of them is returned.
  // 500 experiments rest: all are counted, and a page of each of the ten states is merged.
  { request: `/attention?${page}&kind=decide`, statements: 7, rows: 600, index: 'experiments_resting_index' },
  { request: `/attention?${page}`, statements: 7, rows: 600, index: 'incidents_open_kind_index' },
  { request: `/attention?${page}&after=${2 ** 52}`, statements: 7, rows: 600, index: 'incidents_open_kind_index' },
  { request: `/attention?${page}&kind=waiting`, statements: 7, rows: 600, index: 'callback_executions_open_index' },
  { request: `/attention?${page}&cohort_id=10`, statements: 11, rows: 600, index: 'callback_executions_open_index' },
  {
    request: `/attention?${page}&cause_group=7-0123456789abcdef`,
    statements: 7,
    rows: 600,
    index: 'incidents_open_group_index',
  },
  {
    request: `/attention?${page}&cause_group=none&kind=failed`,
    statements: 5,
    rows: 600,
    index: 'incidents_open_ungrouped_index',
  },
  { request: '/attention/groups', statements: 4, rows: 451, index: 'incidents_open_group_index' },
  {
    request: `/incidents?${page}&cause_group=7-0123456789abcdef`,
    statements: 1,
    rows: 20,
    index: 'incidents_open_group_index',
  },
  { request: '/attention?limit=0', statements: 4, rows: 600, index: 'callback_executions_open_index' },
  { request: `/attention?${page}&assignee=1`, statements: 8, rows: 600, index: 'follow_ups_assignee_index' },
  { request: '/search?q=VISIT%202', statements: 4, rows: 10, index: 'experiments_label_index' },
  { request: '/search?q=SUBJECT%202', statements: 6, rows: 10, index: 'subjects_label_index' },
  // Two variables of each of 500 experiments.
  { request: '/experiments/search/completions?of=var', statements: 1, rows: 1000, index: 'experiment_variables_pk' },
  {
    request: '/experiments/search/completions?of=var&key=scanner&text=9',
    statements: 1,
    rows: 500,
    index: 'experiment_variables_pk',
  },
  { request: '/experiments/77/timeline', statements: 3, rows: 10, index: 'actions_sequence_unique' },
  { request: `/cohorts/3/matrix?${page}`, statements: 3, rows: 200, index: 'experiments_label_unique' },
  { request: '/experiments/77/notes', statements: 2, rows: 2, index: 'notes_experiment_index' },
  { request: `/audit?${page}`, statements: 2, rows: 101, index: 'history_pk' },
  { request: `/audit?${page}&before=30000`, statements: 2, rows: 101, index: 'history_pk' },
  // A rare operation is searched in 10,000 entries, once for the page and once for the position where it stopped.
  { request: `/audit?${page}&operation=createUser`, statements: 2, rows: 10_000, index: 'history_pk' },
  { request: `/audit?${page}&operation=overwriteConfig`, statements: 1, rows: 10_000, index: 'history_pk' },
  { request: `/audit?${page}&object_kind=experiment&before=30000`, statements: 2, rows: 101, index: 'history_pk' },
  { request: `/audit?${page}&actor=11`, statements: 3, rows: 101, index: 'history_actor_index' },
  {
    request: `/audit?${page}&actor=11&operation=overwriteConfig`,
    statements: 2,
    rows: 101,
    index: 'history_actor_index',
  },
  { request: `/audit?${page}&experiment_id=77`, statements: 3, rows: 2, index: 'history_chain_index' },
  { request: `/audit?${page}&experiment_id=77&before=90000`, statements: 4, rows: 2, index: 'history_chain_index' },
  { request: `/audit?${page}&subject_id=70&actor=71`, statements: 3, rows: 20, index: 'history_chain_index' },
  { request: `/audit?${page}&subject_id=70`, statements: 3, rows: 20, index: 'history_chain_index' },
  // Up to 500 entries of each person: 500 people have 5 each, and 2 have fewer, which PostgreSQL 15 rounds to 5.
  { request: `/audit?${page}&by=people`, statements: 2, rows: 2510, index: 'history_actor_index' },
  { request: `/audit?${page}&by=people&kind=access`, statements: 1, rows: 2510, index: 'history_actor_index' },
  { request: `/audit?${page}&by=people&time_zone=UTC`, statements: 5, rows: 2510, index: 'history_actor_index' },
  { request: `/audit?${page}&kind=import`, statements: 1, rows: 10_000, index: 'history_pk' },
  { request: `/audit?${page}&parts=false&sign_ins=false`, statements: 2, rows: 10_000, index: 'history_pk' },
  {
    request: `/audit?${page}&cohort_id=3&operation=overwriteConfig`,
    statements: 2,
    rows: 2,
    index: 'history_chain_index',
  },
  { request: `/audit?${page}&object_kind=action&object_id=77`, statements: 3, rows: 2, index: 'history_chain_index' },
  { request: `/audit?${page}&object_kind=user`, statements: 2, rows: 101, index: 'history_chain_index' },
  { request: `/audit?${page}&object_kind=user&object_id=77`, statements: 3, rows: 2, index: 'history_object_index' },
  {
    request: `/audit?${page}&from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z`,
    statements: 4,
    rows: 101,
    index: 'history_pk',
  },
  { request: `/audit?${page}&to=2020-01-01T00:00:00Z`, statements: 2, rows: 101, index: 'history_pk' },
  {
    request: `/audit?${page}&object_kind=user&from=2020-01-01T00:00:00Z`,
    statements: 3,
    rows: 101,
    index: 'history_chain_index',
  },
  { request: '/audit/checkpoints', statements: 3, rows: 1, index: 'history_tail_index' },
  { request: '/experiments/77/history', statements: 2, rows: 2, index: 'history_chain_index' },
];

/** All statements except those of transactions and of authentication, which is cached for a minute and does not read the history. */
const statementsOf = (request: string) =>
  sentStatements(server, request, /^(?!begin|commit|(?!.*history).*(?:password_hash|sign_in_failures|set_config))/s);

describe.each(cases)('GET $request', ({ request, statements: number, rows, index }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    `with %s uses ${index} and reads no more rows than it needs`,
    async (mode) => {
      const statements = await statementsOf(request);
      expect(statements).toHaveLength(number);
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const reads = plans.flat().filter((node) => large.has(node['Relation Name'] ?? ''));
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(plans.flat().map((node) => node['Index Name'])).toContain(index);
      const widest = reads.map((node) => [rowsRead([node]), node['Relation Name'], node['Index Name']]);
      expect(widest.filter(([read]) => Number(read) > rows)).toEqual([]);
    },
  );
});

/** Created through the API, as the inserted experiments have no workflow definition to evaluate. */
const createExperiment = async () => {
  const workflow_definition =
    'label: short\nstates: [{label: arrived, transitions: [{destination: done}]}, {label: done}]';
  await server.call('importWorkflow', { body: { workflow_definition } });
  // The layout is computed after the response, and its statements must not be counted.
  const withoutLayout = () => server.sql('select from workflows where label = $1 and layout is null', ['short']);
  await expect.poll(withoutLayout).toEqual([]);
  const { body } = await server.call('createExperiment', {
    body: { label: 'followed', subject_id: 77, workflow_label: 'short' },
  });
  return (body as { id: number }).id;
};

describe('the overview of an experiment', () => {
  it('uses indexes and reads no more rows than it needs', async () => {
    const id = await createExperiment();
    await server.call('createScan', { body: { experiment_id: id, scantype_id: 1 } });
    await server.call('addNote', { params: { id }, body: { text: 'seen' } });
    const statements = await statementsOf(`/experiments/${id}/overview`);
    expect(statements).toHaveLength(9);
    const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
    for (const mode of modes) {
      const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, mode)));
      const reads = plans.flat().filter((node) => large.has(node['Relation Name'] ?? ''));
      expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(reads.filter((node) => rowsRead([node]) > 2)).toEqual([]);
      const indexes = plans.flat().map((node) => node['Index Name']);
      expect(indexes).toEqual(expect.arrayContaining(['scans_experiment_index', 'notes_experiment_index']));
    }
  });
});

describe('a page', () => {
  it.each(['/experiment_rows', '/attention', '/experiments/77/timeline', '/cohorts/3/matrix'])(
    'of %s sends the same statements for one row as for a hundred',
    async (path) => {
      const [one, many] = [await statementsOf(`${path}?limit=1`), await statementsOf(`${path}?limit=100`)];
      expect(one.map(({ text }) => text)).toEqual(many.map(({ text }) => text));
    },
  );
});
