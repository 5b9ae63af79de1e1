/**
 * A list for a caller who can see more experiments than one statement sorts. Their actions have much higher ids than those of
 * other experiments. The list scans the ids in many short statements.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withClient } from '../../testing/test-database.ts';
import { sentIds } from '../../testing/measure/sent-ids.ts';
import { rowsRead, sentPlan, statementsDuring } from '../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { listActions } from '../../src/store/experiments/actions.ts';
import { scanLimit, type Scope } from '../../src/store/scope.ts';

const [others, own] = [35_000, 1500];
const scope: Scope = { kind: 'cohorts', ids: [2] };
let server: TestServer;

/** One experiment in each cohort has all actions. The second cohort has 100,000 more experiments without actions. */
const wideCohort = `
  insert into cohorts (label) values ('first'), ('wide');
  insert into subjects (cohort_id, label) values (1, 'a'), (2, 'b');
  insert into workflows (label) values ('brain');
  insert into states (workflow_id, label, position) values (1, 'arrived', 0);
  insert into transitions (workflow_id, source_state_id, destination_state_id) values (1, 1, 1);
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
    values (1, 1, 1, 1, 'first');
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
    select 2, 2, 1, 1, 'wide ' || n from generate_series(1, 100001) n;
  insert into actions (experiment_id, sequence, transition_id, actor_kind)
    select case when n > ${others} then 2 else 1 end, n, 1, 'engine' from generate_series(1, ${others + own}) n`;

beforeAll(async () => {
  server = await startTestServer();
  await withClient(server.testDatabase.ownerUrl, async (client) => {
    await client.query(wideCohort);
    await client.query('vacuum analyze');
  });
});
afterAll(() => server.stop());

it('a page of actions needs no statement that reads more rows than the limit', async () => {
  let shown: number[] = [];
  const statements = await statementsDuring(async () => {
    const { rows } = await listActions(server.database, scope, {}, { limit: 100 });
    if (Array.isArray(rows)) shown = rows.map(({ id }) => id);
  }, /from actions/);
  expect(shown).toEqual(Array.from({ length: 100 }, (_, index) => others + 1 + index));
  expect(statements).toHaveLength(1 + Math.floor(others / scanLimit));
  const plans = await Promise.all(statements.map((statement) => sentPlan(server, statement, 'force_custom_plan')));
  for (const plan of plans) expect(rowsRead(plan)).toBeLessThanOrEqual(scanLimit);
});

it('a list of actions without a limit is complete and in order', async () => {
  const sent = await sentIds(await listActions(server.database, scope, {}, {}));
  expect(sent).toEqual(Array.from({ length: own }, (_, index) => others + 1 + index));
});
