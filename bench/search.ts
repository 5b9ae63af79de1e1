/**
 * Thirty queries of `GET /experiments/search` with 1 M experiments: the rows and buffers that a first page reads, and those of the counts.
 *   node --conditions=source bench/search.ts
 */
import { queries } from '@milepost/api';
import pg from 'pg';
import { openDatabase, type Db } from '../packages/server/src/database/connection.ts';
import { readFoundRows } from '../packages/server/src/store/queries/found-rows.ts';
import type { SortName } from '../packages/server/src/store/queries/query-sorts.ts';
import { resolveQuery } from '../packages/server/src/store/queries/resolve-query.ts';
import { countFound, findByQuery } from '../packages/server/src/store/queries/find-by-query.ts';
import { allCohorts } from '../packages/server/src/store/scope.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { makeLargeStudy, many } from './large-study.ts';

const cases: [q: string, sort?: string][] = [
  [''],
  ['', '-label'],
  ['', '-changed'],
  ['', 'in-state'],
  ['', '-scanned'],
  ['', 'subject'],
  ['state:"state 7"'],
  ['state:"state 7"', '-changed'],
  ['state:"state 7" cohort:"cohort 3"'],
  ['state:"state 7" cohort:"cohort 3"', 'label'],
  ['state:"state 7","state 8"', 'state'],
  ['cohort:"cohort 3"', 'scanned'],
  ['workflow:bench -state:"state 7"'],
  ['XNAT_E0500029'],
  ['0500029', '-in-state'],
  ['50002'],
  ['xnat'],
  ['s123'],
  ['e1'],
  ['subject:s4711', 'subject'],
  ['subject:s47*'],
  ['label:e7', 'label'],
  ['external.XNAT:XNAT_E0001234'],
  ['incident:failed', 'label'],
  ['incident:failed cohort:"cohort 3" in-state>0h'],
  ['assigned:bench', '-changed'],
  ['scanned:2024-03-07', 'subject'],
  ['scanned:2024 state:"state 7"', 'scanned'],
  ['var.age>=65 cohort:"cohort 3"'],
  ['var.rare:yes'],
  ['-incident:any withdrawn:no', '-id'],
  ['decision:waiting', 'in-state'],
];

/** What makeLargeStudy leaves out. */
const additions = [
  `set session_replication_role = replica`,
  `insert into external_systems (system_name) values ('XNAT')`,
  `insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
   select id, cohort_id, 1, 'XNAT_E' || lpad(id::text, 7, '0') from experiments`,
  `insert into experiment_search (experiment_id, cohort_id, text)
   select e.id, e.cohort_id, E'\\n' || e.label || E'\\n' || s.label || E'\\nxnat_e' || lpad(e.id::text, 7, '0')
   from experiments e join subjects s on s.id = e.subject_id order by e.id`,
  `insert into experiment_variables select id, 'age', to_jsonb(40 + id % 50) from experiments where id % 2 = 0`,
  `insert into experiment_variables select id, 'rare', '"yes"' from experiments where id % 50000 = 0`,
  `update experiments set scandate = timestamp '2024-01-01' + id % 900 * interval '1 day' where id % 3 = 0`,
  `insert into users (username, username_key, email, email_key) values ('bench', 'bench', 'b@b', 'b@b')`,
  `insert into follow_ups (experiment_id, cohort_id, assignee_id) select id, cohort_id, 1 from experiments where id % 2500 = 0`,
  'vacuum analyze',
  'checkpoint',
];

interface Statement {
  text: string;
  values: unknown[];
}

/** Records the statements of the application's connections. */
function recordStatements(): Statement[] {
  const sent: Statement[] = [];
  const original = Reflect.get(pg.Client.prototype, 'query') as (...parts: unknown[]) => unknown;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...parts: unknown[]) {
      const [given, values] = parts as [string | Statement, unknown[] | undefined];
      const text = typeof given === 'string' ? given : given.text;
      if (/^\s*(select|with)/.test(text)) {
        sent.push({ text, values: (typeof given === 'string' ? values : given.values) ?? [] });
      }
      return original.apply(this, parts);
    },
  });
  return sent;
}

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Rows that scans returned or removed. A bitmap of an index is followed by its scan of the table. */
const rowsOf = (plan: Plan): number =>
  (/Scan/.test(plan['Node Type']) && !/Bitmap Index|Subquery|CTE/.test(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);

async function explain(client: pg.Client, statements: readonly Statement[]) {
  const sums = { statements: statements.length, rows: 0, buffers: 0 };
  for (const { text, values } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (!plan) continue;
    sums.rows += Math.round(rowsOf(plan));
    sums.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    if (process.env['BENCH_PLANS'] && plan['Shared Hit Blocks'] > 2000)
      console.log(text, JSON.stringify(plan, undefined, 1));
  }
  return sums;
}

async function measure(db: Db, client: pg.Client, sent: Statement[], q: string, order: string): Promise<string> {
  sent.length = 0;
  const resolved = await resolveQuery(db, { id: 1, scope: allCohorts }, queries.readQuery(q).terms);
  if ('errors' in resolved) throw new Error(JSON.stringify(resolved.errors));
  const sort = order.replace(/^-/, '') as SortName;
  const request = { query: resolved, sort, isDescending: order.startsWith('-'), after: undefined, limit: 50 };
  const page = await findByQuery(db, allCohorts, request);
  const found = 'refused' in page ? [] : page.found;
  if (!('refused' in page))
    await readFoundRows(
      db,
      found.map(({ id }) => id),
      [],
    );
  const ofPage = await explain(client, sent.splice(0));
  sent.length = 0;
  const title = `| \`${q}\` | ${order} |`;
  const cost = `${ofPage.statements} | ${ofPage.rows} | ${ofPage.buffers}`;
  if ('refused' in page) return `${title} refused (${page.refused}) | ${cost} | – | – |`;
  const counts = await countFound(db, allCohorts, resolved, page.candidates);
  const ofCounts = await explain(client, sent.splice(0));
  const total = counts.states.reduce((sum, { experiments }) => sum + experiments, 0);
  return `${title} ${total}${counts.hasMore ? '+' : ''} | ${cost} | ${ofCounts.rows} | ${ofCounts.buffers} |`;
}

async function run(database: BenchDatabase): Promise<void> {
  await makeLargeStudy(database, many);
  await query(database.ownerUrl, ...additions);
  const opened = openDatabase({
    databaseUrl: database.appUrl,
    poolSize: 1,
    streamPoolSize: 1,
    statementSeconds: 60,
    onError: console.error,
  });
  const client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
  const sent = recordStatements();
  console.log('| query | sort | found | statements | rows | buffers | rows of counts | buffers of counts |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [q, order = 'id'] of cases) console.log(await measure(opened.db, client, sent, q, order));
  await client.end();
  await opened.close();
}

await withDatabase(run);
