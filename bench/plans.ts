/**
 * `npm run bench -- plans`: the plans of the ten most frequent statements with a million experiments, while experiments move, run
 * callbacks, and are read and listed over HTTP. Writes bench/results/<date>-plans.md. BENCH_EXPERIMENTS sets the number.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from '@milepost/api';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { startWorkerProcess } from '../packages/server/testing/processes/worker-process.ts';
import { makeStudy } from './callback-study.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { addPast } from './grown-study.ts';
import { limitOf, measureUse } from './limit.ts';
import { atMost, type Row } from './result.ts';
import { password, withServer } from './server.ts';
import { trackStatements } from './statements.ts';

const experiments = Number(process.env['BENCH_EXPERIMENTS'] ?? 1_000_000);
const requests = 300;
const explained = 40;
const large = ['experiments', 'subjects', 'actions', 'callback_executions', 'execution_attempts', 'history', 'events'];
const sequentialScan = new RegExp(`Seq Scan on public\\.(?:${large.join('|')})\\b`, 'g');

interface Statement {
  id: string;
  calls: number;
  mean: number;
  text: string;
}

export const benchPlans = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await makeStudy(database.ownerUrl, experiments);
    await addPast(database);
    return withServer({ DATABASE_URL: database.appUrl }, async ({ baseUrl, pid }) => {
      const worker = await startWorkerProcess({ DATABASE_URL: database.appUrl });
      const processes = { Node: [pid, worker.pid], PostgreSQL: database.pid };
      const { result: statements, use } = await measureUse(database.ownerUrl, processes, () =>
        findFrequent(database, baseUrl),
      );
      const plans = await explain(database, baseUrl);
      await worker.stop();
      await writePlans(statements, plans);
      const scans = statements.map(({ id }) => plans.get(id)?.match(sequentialScan)?.length ?? 0);
      const rounds = [scans.reduce((sum, count) => sum + count, 0)];
      const unit = `sequential scans of large tables, ${experiments.toLocaleString('en')} experiments`;
      return [atMost(0, { name: 'plans', unit, rounds, limit: limitOf([use]) })];
    });
  });

/** Each statement is planned for its parameters five times per connection, so these requests come first. */
async function findFrequent(database: BenchDatabase, baseUrl: string): Promise<Statement[]> {
  await send(baseUrl, requests);
  await trackStatements(database.ownerUrl, 'all');
  await send(baseUrl, requests);
  const statements = await withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query<Statement>(
      `select queryid::text as id, calls::int, mean_exec_time as mean, query as text from pg_stat_statements
       where userid = 'bench'::regrole and toplevel and query ~* '^\\s*(select|with|insert|update|delete)'
         and query !~ 'set_config|advisory' order by calls desc, total_exec_time desc limit 10`,
    );
    return rows;
  });
  await trackStatements(database.ownerUrl, 'none');
  return statements;
}

/** Moves experiments into the state with the callback. Reads an experiment, a page and the counts after every fourth move. */
async function send(baseUrl: string, count: number): Promise<void> {
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const request = async (path: string, body?: string) => {
    const response = await fetch(`${baseUrl}${path}`, { headers, ...(body && { method: 'PUT', body }) });
    await response.text();
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
  };
  for (let n = 0; n < count; n++) {
    const id = 1 + Math.floor(Math.random() * experiments);
    // It fails if a previous request has moved the same experiment.
    await request(`/experiments/${id}/state`, '{"state_label":"working"}').catch(() => undefined);
    if (n % 4 !== 0) continue;
    await request(`/experiments/${id}`);
    await request('/experiments?state=resting&limit=100');
    await request('/workflows/1/counts');
  }
  // The worker runs the last callbacks.
  await sleep(2000);
}

const setting = (name: string, value: string) => `alter system set auto_explain.${name} = '${value}'`;

/** The last plan of each statement that ran, by its id, from the log of PostgreSQL. */
async function explain({ ownerUrl, log }: BenchDatabase, baseUrl: string): Promise<Map<string, string>> {
  const reload = 'select pg_reload_conf()';
  const details = ['log_analyze', 'log_buffers', 'log_verbose'].map((name) => setting(name, 'on'));
  await query(
    ownerUrl,
    `alter system set compute_query_id = 'on'`,
    ...details,
    setting('log_min_duration', '0'),
    reload,
  );
  await send(baseUrl, explained);
  await query(ownerUrl, setting('log_min_duration', '-1'), reload);
  const entries = (await readFile(log, 'utf8')).split(/^(?=\d{4}-\d\d-\d\d \S+ UTC \[)/m);
  const plans = new Map<string, string>();
  for (const entry of entries) {
    const id = /Query Identifier: (-?\d+)/.exec(entry)?.[1];
    if (id !== undefined) plans.set(id, planOf(entry));
  }
  return plans;
}

/** Without the text of the statement, the output columns and the parameters, which precede or fill the plan. */
function planOf(entry: string): string {
  const lines = entry.split('\n').map((line) => line.replace(/^\t/, ''));
  const first = lines.findIndex((line) => /\(cost=/.test(line));
  return lines
    .slice(first)
    .filter((line) => !/^\s*(Output|Query Identifier):/.test(line))
    .join('\n')
    .trim();
}

async function writePlans(statements: readonly Statement[], plans: ReadonlyMap<string, string>): Promise<void> {
  const parts = statements.map(({ id, calls, mean, text }, index) => {
    const plan = plans.get(id) ?? 'This statement was not executed while plans were logged.';
    const title = `## ${index + 1}. ${calls} calls, ${mean.toFixed(3)} ms on average`;
    return [title, '```sql', text.trim(), '```', '```', plan, '```'].join('\n');
  });
  const head = `# Plans of the ten most frequent statements with ${experiments.toLocaleString('en')} experiments`;
  const folder = new URL('./results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${new Date().toISOString().slice(0, 10)}-plans.md`, folder);
  await writeFile(file, `${[head, ...parts].join('\n\n')}\n`);
}
