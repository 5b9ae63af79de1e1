/**
 * The list of executions returns what a plain query returns, for every status and result, for all cohorts and for some, and page
 * by page.
 *
 * @module-tag sql
 */
import { executionResults, executionStatuses } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyRows } from '../../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { allCohorts, idsOf, type Scope } from '../scope.ts';
import { listExecutions, type ExecutionFilter } from './execution-list.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    // Every combination of a status and a result that can be stored, in each cohort.
    await client.query(`update callback_executions
      set result = (array['none', 'failed', 'timeout'])[1 + id % 3] where id % 7 = 0 and status in ('finished', 'running')`);
    await client.query(`update callback_executions set status = 'skipped', result = 'none'
      where id % 11 = 0 and status = 'finished'`);
    await client.query(`update callback_executions set status = 'waiting', wait_start = run_start, next_attempt_at = null
      where id % 200 = 0 and status = 'running'`);
    await client.query(`update callback_executions set status = 'created' where id % 200 = 1 and status = 'queued'`);
  });
});
afterAll(() => server.stop());

const scopes: Scope[] = [allCohorts, ...[[3], [10], [3, 10]].map((ids): Scope => ({ kind: 'cohorts', ids }))];
const filters: ExecutionFilter[] = [undefined, ...executionStatuses].flatMap((status) =>
  [undefined, ...executionResults].map((result) => ({ ...(status && { status }), ...(result && { result }) })),
);

async function expectedIds(
  scope: Scope,
  { status = null, result = null }: { status?: string | null; result?: string | null },
) {
  const rows = await server.sql<{ id: string }>(
    `select callback_executions.id from callback_executions
     join actions on actions.id = callback_executions.action_id join experiments on experiments.id = actions.experiment_id
     where ($1::bigint[] is null or experiments.cohort_id = any($1)) and ($2::text is null or status = $2)
       and ($3::text is null or result = $3) order by callback_executions.id`,
    [idsOf(scope), status, result],
  );
  return rows.map(({ id }) => Number(id));
}

async function readPage(scope: Scope, filter: ExecutionFilter, after: number) {
  const { rows, next } = await listExecutions(server.database, scope, filter, { limit: 100, after });
  if (!Array.isArray(rows)) throw new Error('a page is an array');
  return { ids: rows.map(({ id }) => id), next: next() };
}

describe.each(filters)('executions with %j', (filter) => {
  it.each(scopes)('are complete in the scope %j', async (scope) => {
    const expected = await expectedIds(scope, filter);
    const middle = expected[Math.floor(expected.length / 2)] ?? 0;
    for (const after of [0, middle]) {
      const rest = expected.filter((id) => id > after);
      const page = rest.slice(0, 100);
      expect(await readPage(scope, filter, after)).toEqual({
        ids: page,
        next: rest.length > 100 ? page.at(-1) : undefined,
      });
    }
  });
});
