/**
 * Search results as CSV, over many pages.
 *
 * @module-tag sql
 */
import { basic, queries } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { findNaively, sortNaively } from '../../../testing/queries/naive-search.ts';
import { randomFrom, randomQuery, randomSort } from '../../../testing/queries/random-queries.ts';
import { plainExperiments, searchedStudy, type PlainExperiment } from '../../../testing/queries/searched-study.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: searchedStudy });
});
afterAll(() => server.stop());

it('has the experiments of all pages in their order', async () => {
  const all = await server.sql<PlainExperiment>(plainExperiments);
  const random = randomFrom(seed + 4);
  for (const q of ['', '-state:done', 'incident:any', randomQuery(random, all), randomQuery(random, all)]) {
    const { terms, errors } = queries.readQuery(q);
    if (errors.length > 0) continue;
    const sort = randomSort(random);
    const wanted = sortNaively(findNaively(all, terms, { now: Date.now(), me: 'admin', onlyPrefixes: false }), sort);
    const text = new URLSearchParams({ q, sort, columns: 'id' }).toString();
    const headers = { authorization: basic('admin', testPassword), accept: 'text/csv' };
    const response = await fetch(`${server.baseUrl}/experiments/search?${text}`, { headers });
    const [head, ...rows] = (await response.text()).trim().split(/\r?\n/);
    expect([q, sort, head, rows.map(Number)]).toEqual([q, sort, 'id', wanted.map(({ id }) => id)]);
  }
});
