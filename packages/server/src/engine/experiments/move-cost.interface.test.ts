/**
 * What a move and the end of a run write: statements, new rows of each table, and the indexes that these enter. A table or index that each move
 * writes changes these lists, so that its cost is a decision.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { whenLayoutsAreStored } from '../../../testing/rows/whole-dump.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
let experiment: number;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  const workflow = await world.importWorkflow(`states:
  - {label: first, transitions: [{destination: second}]}
  - {label: second, transitions: [{destination: third}]}
  - {label: third, transitions: [{destination: run}]}
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: ${world.fresh('queue')}}}]
    transitions: [{destination: last, by: person}]
  - {label: last}
`);
  experiment = await world.experimentOf(workflow);
  await world.move(experiment, 'second');
});
afterAll(() => server.stop());

/** Row versions since the transaction. Nothing else writes to the database. */
const since = (xid: string) => `xmin::text::bigint >= ${xid} and xmin::text::bigint > 2`;

async function writtenBy(work: () => Promise<unknown>) {
  const [start] = await server.sql<{ xid: string }>('select pg_current_xact_id()::text as xid');
  const xid = start?.xid ?? '';
  const statements = await statementsDuring(work, /./);
  const tables = await server.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await server.sql<{ rows: number }>(`select count(*)::int as rows from ${name} where ${since(xid)}`);
    if (row && row.rows > 0) rows[name] = row.rows;
  }
  return { statements: statements.length, rows, indexesOf: (table: string) => indexesOf(table, xid) };
}

/** The indexes whose condition a new row of the table meets. */
async function indexesOf(table: string, xid: string): Promise<string[]> {
  const indexes = await server.sql<{ name: string; condition: string | null }>(
    `select indexrelid::regclass::text as name, pg_get_expr(indpred, indrelid) as condition from pg_index
     where indrelid = $1::regclass order by indexrelid::regclass::text collate "C"`,
    [table],
  );
  const entered: string[] = [];
  for (const { name, condition } of indexes) {
    const rows = await server.sql(`select from ${table} where ${since(xid)} and (${condition ?? 'true'}) limit 1`);
    if (rows.length > 0) entered.push(name);
  }
  return entered;
}

it('a move reads the user and writes everything in one statement, with one event and no figure of Insights', async () => {
  await whenLayoutsAreStored(server.testDatabase.superuserUrl);
  const { statements, rows, indexesOf: entered } = await writtenBy(() => world.move(experiment, 'third'));
  expect(statements).toBe(2);
  expect(rows).toEqual({
    actions: 1,
    events: 1,
    experiments: 1,
    history: 1,
    state_count_deltas: 2,
  });
  expect(await entered('actions')).toEqual(['actions_leaving_index', 'actions_pk', 'actions_sequence_unique']);
  expect(await entered('events')).toEqual(['events_pk', 'events_tail_index']);
});

it('a run that succeeds at once enters no index of failed and retried runs', async () => {
  await world.move(experiment, 'run');
  const run = await world.executionOf(experiment, 'c');
  const { rows, indexesOf: entered } = await writtenBy(() => world.finish(run.id, 'success'));
  expect(rows['callback_executions']).toBe(1);
  expect(Object.keys(rows).filter((name) => name.startsWith('insight'))).toEqual([]);
  expect(await entered('callback_executions')).toEqual([
    'callback_executions_callback_index',
    'callback_executions_callback_unique',
    'callback_executions_pk',
  ]);
});
