/**
 * Numbers per state compared with an evaluation in memory, with small limits.
 *
 * @module-tag sql
 */
import { queries } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { findNaively } from '../../../testing/queries/naive-search.ts';
import { randomFrom, randomQuery } from '../../../testing/queries/random-queries.ts';
import { plainExperiments, searchedStudy, type PlainExperiment } from '../../../testing/queries/searched-study.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { allCohorts, type Scope } from '../scope.ts';
import { countFound } from './count-found.ts';
import { resolveQuery } from './resolve-query.ts';
import { searchLimits } from './search-limits.ts';

let server: TestServer;
let all: PlainExperiment[];
let admin: number;
beforeAll(async () => {
  server = await startTestServer({ rows: searchedStudy });
  all = await server.sql<PlainExperiment>(plainExperiments);
  const users = await server.sql<{ id: number }>(`select id::int from users where username = 'admin'`);
  admin = users[0]?.id ?? 0;
});
afterAll(() => server.stop());

async function count(q: string, scope: Scope, counted: number) {
  const { db } = server.database;
  const query = await resolveQuery(db, { id: admin, scope }, queries.readQuery(q).terms);
  if ('errors' in query) return undefined;
  const { states, hasMore } = await countFound(db, scope, query, undefined, { ...searchLimits, counted });
  return { found: states.reduce((sum, { experiments }) => sum + experiments, 0), hasMore };
}

/** Also the queries whose terms have an index of both states and cohorts. */
const fixed = ['', 'state:done', 'state:done cohort:Ageing', 'incident:any', 'id>0', 'cohort:Ageing incident:any'];

/** Less than the experiments of one cohort, and more. */
it.each([200, 700])('are exact or a minimum of %i, whatever cohorts a user can read', async (counted) => {
  const random = randomFrom(seed);
  const cohorts = await server.sql<{ id: number; label: string }>('select id::int, label from cohorts');
  const scopes: Scope[] = [allCohorts, ...cohorts.map(({ id }) => ({ kind: 'cohorts' as const, ids: [id] }))];
  const outcomes = { exact: 0, minimum: 0 };
  for (const q of [...fixed, ...Array.from({ length: 100 }, () => randomQuery(random, all))]) {
    if (queries.readQuery(q).errors.length > 0) continue;
    for (const scope of scopes) {
      const counts = await count(q, scope, counted);
      if (!counts) continue;
      const own = cohorts.filter(({ id }) => scope.kind === 'all' || scope.ids.includes(id)).map(({ label }) => label);
      const visible = all.filter(({ cohort }) => own.includes(cohort));
      const terms = queries.readQuery(q).terms;
      const wanted = findNaively(visible, terms, { now: Date.now(), me: 'admin', onlyPrefixes: false }).length;
      const text = `${q} in ${own.join(', ')}`;
      if (!counts.hasMore) expect([text, counts.found]).toEqual([text, wanted]);
      expect([text, counts.found <= wanted]).toEqual([text, true]);
      // A user who can read few experiments gets exact numbers, however many others there are.
      if (visible.length <= counted) expect([text, counts.hasMore]).toEqual([text, false]);
      outcomes[counts.hasMore ? 'minimum' : 'exact']++;
    }
  }
  expect(outcomes.exact).toBeGreaterThan(0);
  expect(outcomes.minimum).toBeGreaterThan(0);
});
