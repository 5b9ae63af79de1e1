/**
 * `npm run bench -- list`: the time of GET /experiments?state=&limit=100 with many experiments relative to few.
 * `npm run bench -- deep`: the time of a page at the end of this list relative to its first page, with many experiments.
 */
import { compareSizes } from './compare-sizes.ts';
import { many, states, studies } from './large-study.ts';
import { limitOf, measureUse } from './limit.ts';
import { atMost, type Row } from './result.ts';
import { withServer } from './server.ts';
import { compareLatencies } from './steady-load.ts';

const goal = 1.3;
const pageLength = 100;
const firstPage = `/experiments?state=state%207&limit=${pageLength}`;
/** Every 20th experiment is in the state, so one more page follows. */
const lastPage = `${firstPage}&after=${many - 2 * pageLength * states}`;

export const benchList = () => compareSizes({ name: 'list', path: firstPage, goal });

export async function benchDeep(): Promise<Row[]> {
  const { large } = await studies();
  const { result, use } = await withServer({ DATABASE_URL: large.appUrl }, ({ baseUrl, pid }) =>
    measureUse(large.ownerUrl, { Node: pid, PostgreSQL: large.pid }, () =>
      compareLatencies(['last page', 'first page'], [baseUrl + lastPage, baseUrl + firstPage]),
    ),
  );
  const name = `deep, p95 with ${many.toLocaleString('en')} experiments`;
  return [atMost(goal, { name, unit: 'of that of the first page', ...result, limit: limitOf([use]) })];
}
