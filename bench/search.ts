/**
 * `npm run bench -- search`: queries of `GET /experiments/search` with a million experiments. A first page reads at most 10,000 rows and
 * 2,000 buffers, or the query is refused. The benchmark fails if one reads more. The counts of a page are separate. BENCH_PLANS=1 prints the
 * plans of costly statements.
 */
import { queries } from '@milepost/api';
import pg from 'pg';
import { openDatabase, type Db } from '../packages/server/src/database/connection.ts';
import { readFoundDetails } from '../packages/server/src/store/queries/found-rows.ts';
import type { SortName } from '../packages/server/src/store/queries/query-sorts.ts';
import { resolveQuery } from '../packages/server/src/store/queries/resolve-query.ts';
import { countFound } from '../packages/server/src/store/queries/count-found.ts';
import { findByQuery } from '../packages/server/src/store/queries/find-by-query.ts';
import { readExperimentRows, readOpenIncidents } from '../packages/server/src/store/screens/experiment-rows.ts';
import { allCohorts } from '../packages/server/src/store/scope.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { makeLargeStudy, many } from './large-study.ts';
import { explain, recordStatements, type Cost, type Statement } from './read-cost.ts';
import { atMost, type Row } from './result.ts';
import { addSearched } from './searched-study.ts';

const most = { rows: 10_000, buffers: 2000 };
const pageLength = 50;

const cases: [q: string, sort?: string][] = [
  [''],
  ['', '-label'],
  ['', '-changed'],
  ['', 'in-state'],
  ['', '-scanned'],
  ['', 'subject'],
  ['state:"state 7"'],
  ['state:"state 7"', '-changed'],
  ['state:"state 7"', 'in-state'],
  ['state:"state 7" cohort:"cohort 3"'],
  ['state:"state 7" cohort:"cohort 3"', 'label'],
  ['state:"state 7" cohort:"cohort 3"', '-changed'],
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
  ['subject:s47*', 'subject'],
  ['state:"state 7"', 'subject'],
  ['label:e7', 'label'],
  ['external.XNAT:XNAT_E0001234'],
  ['incident:failed'],
  ['incident:failed', 'label'],
  ['incident:failed', '-changed'],
  ['incident:failed state:"state 7"', 'label'],
  ['incident:timed_out'],
  ['incident:timed_out', '-changed'],
  ['incident:failed cohort:"cohort 3" in-state>0h'],
  ['assigned:bench', '-changed'],
  ['assigned:bench', 'subject'],
  ['assigned:busy'],
  ['assigned:busy', '-changed'],
  ['scanned:2024-03-07', 'subject'],
  ['scanned:2024 state:"state 7"', 'scanned'],
  ['var.age>=65 cohort:"cohort 3"'],
  ['var.rare:yes'],
  ['-incident:any withdrawn:no', '-id'],
  ['decision:waiting', 'in-state'],
  ['decision:overdue'],
  ['decision:waiting state:"state 3"', 'subject'],
];

interface Connections {
  db: Db;
  client: pg.Client;
  sent: Statement[];
}

const add = (a: Cost, b: Cost): Cost => ({
  statements: a.statements + b.statements,
  rows: a.rows + b.rows,
  buffers: a.buffers + b.buffers,
});

/** Prints a line, and returns the cost of the page. A refusal has a cost too. */
async function measure({ db, client, sent }: Connections, q: string, order: string): Promise<Cost> {
  sent.length = 0;
  const query = await resolveQuery(db, { id: 1, scope: allCohorts }, queries.readQuery(q).terms);
  if ('errors' in query) throw new Error(JSON.stringify(query.errors));
  const sort = order.replace(/^-/, '') as SortName;
  const request = { query, sort, isDescending: order.startsWith('-'), after: undefined, limit: pageLength };
  const page = await findByQuery(db, allCohorts, request);
  const finding = await explain(client, sent.splice(0));
  if ('refused' in page) {
    print(q, order, `refused (${page.refused})`, finding);
    return finding;
  }
  const ids = page.found.map(({ id }) => id);
  await readExperimentRows(db, ids);
  await readOpenIncidents(db, ids);
  await readFoundDetails(db, ids, []);
  const whole = add(finding, await explain(client, sent.splice(0)));
  const counts = await countFound(db, allCohorts, query, page.candidates);
  const total = counts.states.reduce((sum, { experiments }) => sum + experiments, 0);
  const found = `${ids.length} of ${total}${counts.hasMore ? '+' : ''}`;
  print(q, order, found, whole, await explain(client, sent.splice(0)));
  return whole;
}

function print(q: string, order: string, found: string, page: Cost, counts?: Cost): void {
  const cells = [page.statements, page.rows, page.buffers, counts?.rows ?? '–', counts?.buffers ?? '–'];
  console.log(`| \`${q}\` | ${order} | ${found} | ${cells.join(' | ')} |`);
}

export async function measureQueries({ appUrl }: Pick<BenchDatabase, 'appUrl'>): Promise<Row[]> {
  const opened = openDatabase({
    databaseUrl: appUrl,
    poolSize: 1,
    streamPoolSize: 1,
    statementSeconds: 60,
    onError: console.error,
  });
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  const connections = { db: opened.db, client, sent: recordStatements() };
  console.log('| query | sort | found | statements | rows | buffers | rows of counts | buffers of counts |');
  console.log('|---|---|---|---|---|---|---|---|');
  const pages: (Cost & { name: string })[] = [];
  for (const [q, order = 'id'] of cases) {
    pages.push({ name: `\`${q}\` by ${order}`, ...(await measure(connections, q, order)) });
  }
  await client.end();
  await opened.close();
  const costly = pages.filter(({ rows, buffers }) => rows > most.rows || buffers > most.buffers);
  if (costly.length > 0) throw new Error(`Over the limit: ${costly.map(({ name }) => name).join(', ')}`);
  return rowsOf(pages);
}

const rowsOf = (pages: readonly Cost[]): Row[] =>
  (['rows', 'buffers'] as const).map((unit) =>
    atMost(most[unit], {
      name: `search, ${unit} of a first page`,
      unit,
      rounds: [Math.max(...pages.map((page) => page[unit]))],
      limit: 'An index leads to few experiments, or the query is refused.',
    }),
  );

export const benchSearch = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeLargeStudy(database, many);
    await addSearched(database);
    return measureQueries(database);
  });
