/**
 * Query plans of bulk operations, with 10,000 of them by 500 users and 300,000 items. Workers find what is due, the next items and the items
 * of a page with an index, and a user reads a page of the operations that they can see.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listItems, listReadyItems, listRefusedIds, listRefusals } from '../../src/store/bulk/bulk-items.ts';
import {
  countUnended,
  findBulkOperation,
  listBulkOperations,
  lockDueOperation,
  lockIdleOperation,
  secondsUntilDue,
} from '../../src/store/bulk/bulk-operations.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { readAuthorScopes } from '../../src/store/people/author-scopes.ts';
import type { Scope } from '../../src/store/scope.ts';
import { readsOf, rowsRead, sentPlan, statementsDuring, type Mode } from '../../testing/measure/sent-plans.ts';
import { analyzeWhole, manyRows } from '../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { withClient } from '../../testing/test-database.ts';

const operations = 10_000;
const size = 30;
let server: TestServer;
/** One of many operations of one author. */
let operation: { id: number; author_id: number };

beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // Most have finished. 10 are due, and 40 are due later. A tenth of the items was refused, and a tenth is ready.
    await client.query(`insert into bulk_operations (kind, change, author_id, query, starts_itself, rate, status, cohort_ids, experiments, ready,
        done, refused, next_at, checked_at, ended_at)
      select 'retry', '{}', users.ids[1 + n % cardinality(users.ids)], '', true, 1, case when n % 200 = 0 then 'running' else 'finished' end,
        array[1 + n % 10], ${size}, ${size / 10}, ${(size / 10) * 8}, ${size / 10},
        now() + case when n % 1000 = 0 then interval '-1 s' else interval '1 day' end, now(), case when n % 200 <> 0 then now() end
      from (select array_agg(id order by id) as ids from users where username ~ '^u[0-9]+$') as users, generate_series(1, ${operations}) n`);
    await client.query(`insert into bulk_refusals (operation_id, number, code, detail, experiments)
      select id, 1, 'not_found', 'No experiment has this id.', ${size / 10} from bulk_operations`);
    await client.query(`insert into bulk_items (operation_id, number, experiment_id, cohort_id, checked_version, result, refusal)
      select bulk_operations.id, n, n, cohort_ids[1], 1, case n % 10 when 0 then 'refused' when 1 then 'ready' else 'done' end,
        case n % 10 when 0 then 1 end
      from bulk_operations, generate_series(1, ${size}) n`);
    // A large one, of which the last items are ready or refused.
    await client.query(`insert into bulk_items (operation_id, number, experiment_id, cohort_id, checked_version, result, refusal)
      select 5000, n, n, 1, 1, case when n < 39000 then 'done' when n % 2 = 0 then 'ready' else 'refused' end,
        case when n >= 39000 and n % 2 = 1 then 1 end
      from generate_series(${size + 1}, 40000) n`);
    for (const table of ['bulk_operations', 'bulk_items', 'bulk_refusals']) await analyzeWhole(client, table);
  });
  const [row] = await server.sql<{ id: number; author_id: number }>(
    'select id::int, author_id::int from bulk_operations where id = 5000',
  );
  operation = row ?? { id: 0, author_id: 0 };
});
afterAll(() => server.stop());

const modes: Mode[] = ['force_custom_plan', 'force_generic_plan'];
const db = () => server.database.db;
const reader = (...ids: number[]) => ({ id: 1, scope: { kind: 'cohorts', ids } satisfies Scope });
const author = () => ({ id: operation.author_id, scope: { kind: 'all' } satisfies Scope });
const page = { limit: 51, applied: false, before: undefined };
const items = { after: 0, offset: 0, limit: 101 };

interface Case {
  send: () => Promise<unknown>;
  table: string;
  rows: number;
  index: RegExp;
}

const cases: Record<string, Case> = {
  'the next operation that is due': {
    send: () => inTransaction(db(), lockDueOperation),
    table: 'bulk_operations',
    rows: 10,
    index: /due_index/,
  },
  'the time of the next operation': {
    send: () => secondsUntilDue(db()),
    table: 'bulk_operations',
    rows: 1,
    index: /due_index/,
  },
  'the operation that is paused longest': {
    send: () => inTransaction(db(), (tx) => lockIdleOperation(tx, 'paused', 10)),
    table: 'bulk_operations',
    rows: 1,
    index: /idle_index/,
  },
  'the unended operations of an author': {
    send: () => inTransaction(db(), (tx) => countUnended(tx, operation.author_id)),
    table: 'bulk_operations',
    rows: 100,
    index: /author_index/,
  },
  'one operation': {
    send: () => findBulkOperation(db(), reader(1), operation.id),
    table: 'bulk_operations',
    rows: 1,
    index: /_pk/,
  },
  'the operations of their author': {
    send: () => listBulkOperations(db(), author(), { ...page, own: true }),
    table: 'bulk_operations',
    rows: 100,
    index: /author_index/,
  },
  'all operations': {
    send: () => listBulkOperations(db(), { id: 1, scope: { kind: 'all' } }, { ...page, own: false }),
    table: 'bulk_operations',
    rows: 60,
    index: /_pk/,
  },
  'the operations of some cohorts': {
    send: () => listBulkOperations(db(), reader(1, 2), { ...page, own: false }),
    table: 'bulk_operations',
    rows: 600,
    index: /_pk/,
  },
  'the refusals of a page of operations': {
    send: () =>
      listRefusals(
        db(),
        Array.from({ length: 50 }, (_, n) => n + 1),
        100,
      ),
    table: 'bulk_refusals',
    rows: 50,
    index: /_(pk|unique)/,
  },
  'the next ready items': {
    send: () => inTransaction(db(), (tx) => listReadyItems(tx, { operationId: operation.id, after: 0, limit: 500 })),
    table: 'bulk_items',
    rows: 500,
    index: /result_index/,
  },
  'the refused items of another operation': {
    send: () => listRefusedIds(db(), { operationId: operation.id, after: 0, limit: 500 }),
    table: 'bulk_items',
    rows: 500,
    index: /result_index/,
  },
  'a page of items': {
    send: () => listItems(db(), author(), operation, items),
    table: 'bulk_items',
    rows: 101,
    index: /_pk/,
  },
  'a page of ready items': {
    send: () => listItems(db(), author(), operation, { ...items, result: 'ready' }),
    table: 'bulk_items',
    rows: 101,
    index: /result_index/,
  },
  'a page of refused items': {
    send: () => listItems(db(), author(), operation, { ...items, result: 'refused' }),
    table: 'bulk_items',
    rows: 101,
    index: /result_index/,
  },
  'a page of items that were refused for a reason': {
    send: () => listItems(db(), reader(1), operation, { ...items, refusal: 1 }),
    table: 'bulk_items',
    rows: 600,
    index: /refusal_index/,
  },
};

describe.each(Object.entries(cases))('%s', (_what, { send, table, rows, index }) => {
  it.each(modes)('are found with an index (%s)', async (mode) => {
    const statements = await statementsDuring(send, new RegExp(`(from|unnest).*"?${table}"?`, 's'));
    expect(statements).toHaveLength(1);
    const plan = statements[0] ? readsOf(await sentPlan(server, statements[0], mode), table) : [];
    expect(plan.map((node) => node['Index Name'] ?? node['Node Type'])).toEqual([expect.stringMatching(index)]);
    expect(rowsRead(plan)).toBeLessThanOrEqual(rows);
  });
});

const readScopes = () => readAuthorScopes(db(), { ...operation, token_id: null }, 'sample_update');

describe('the scopes of an author', () => {
  it.each(modes)('are read from the roles of the author only (%s)', async (mode) => {
    const [statement] = await statementsDuring(readScopes, /from users/);
    const plan = statement ? await sentPlan(server, statement, mode) : [];
    expect(readsOf(plan, 'users').map((node) => node['Index Name'])).toEqual(['users_pk']);
  });
});
