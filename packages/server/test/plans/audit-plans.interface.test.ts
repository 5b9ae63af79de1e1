/**
 * What the page of the audit log reads of a history with 20 people of 100 changes each, and 20,000 changes by a bulk operation of one of them:
 * none of those of the bulk operation.
 *
 * @module-tag sql
 */
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readsOf, rowsRead, sentPlan, sentStatements, type Mode } from '../../testing/measure/sent-plans.ts';
import { analyzeWhole } from '../../testing/rows/many-rows.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** A user who waits for a password is a person. */
async function insertChanges(owner: Client): Promise<void> {
  await owner.query(`
    insert into users (username, username_key, email, email_key, awaits_password)
      select 'p' || n, 'p' || n, n || '@site.org', n || '@site.org', true from generate_series(1, 20) n;
    insert into history (actor_kind, actor_id, operation, object_kind, object_id)
      select 'user', users.id, 'updateExperiment', 'experiment', n from generate_series(1, 100) n, users;
    insert into history (actor_kind, operation, object_kind, object_id)
      select 'engine', 'endAction', 'experiment', n from generate_series(1, 20000) n;
    insert into history (actor_kind, actor_id, operation, object_kind, object_id, after)
      select 'user', 1, 'placeExperiment', 'experiment', n, '{"bulk_operation_id": 1}' from generate_series(1, 20000) n`);
  await analyzeWhole(owner);
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: { name: 'audited', insert: insertChanges } });
  // Signs in first, so that the statements of authentication are not captured.
  await server.call('listCohorts');
});
afterAll(() => server.stop());

const ownChanges = 'history_own_changes_index';
const withoutParts = 'parts=false&sign_ins=false';

describe.each([
  // The default filters of the page. The changes of all people are merged. The mean of each person is rounded.
  { query: `by=people&${withoutParts}`, index: ownChanges, rows: 2001 },
  { query: 'actor=1&parts=false', index: ownChanges, rows: 101 },
  // No part of a bulk operation has these kinds and operations.
  { query: `by=people&${withoutParts}&kind=bulk`, index: ownChanges, rows: 2001 },
  { query: `actor=1&${withoutParts}&operation=updateUser`, index: ownChanges, rows: 101 },
  // Parts are shown, of which a page examines at most 500 of each person.
  { query: `by=people&${withoutParts}&kind=correction`, index: 'history_actor_index', rows: 2500 },
])('GET /audit?$query', ({ query, index, rows }) => {
  it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
    `with %s uses ${index} and reads at most ${rows} entries`,
    async (mode) => {
      const statements = await sentStatements(server, `/audit?limit=100&${query}`, /with matching/);
      expect(statements).toHaveLength(1);
      const [statement = { text: '', values: [] }] = statements;
      const reads = readsOf(await sentPlan(server, statement, mode), 'history');
      expect(new Set(reads.map((node) => node['Index Name']))).toEqual(new Set([index]));
      expect(rowsRead(reads)).toBeLessThanOrEqual(rows);
    },
  );
});

it.each<Mode>(['force_custom_plan', 'force_generic_plan'])(
  'the counts of a day read no more of the changes by people than the page, with %s',
  async (mode) => {
    const path = `/audit?limit=100&by=people&${withoutParts}&time_zone=UTC`;
    const statements = await sentStatements(server, path, /as counted order by/);
    expect(statements).toHaveLength(1);
    const [statement = { text: '', values: [] }] = statements;
    const reads = readsOf(await sentPlan(server, statement, mode), 'history');
    expect(reads.map((node) => node['Index Name'])).toContain(ownChanges);
    expect(reads.map((node) => node['Index Name'])).not.toContain('history_actor_index');
    expect(rowsRead(reads)).toBeLessThanOrEqual(2001);
  },
);
