/**
 * Lists that exceed the page size held in memory: 12,000 subjects of a cohort, interleaved with those of another cohort.
 *
 * @module-tag sql
 */
import { basic, operations } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../testing/server.ts';

const many = 12_000;
let server: TestServer;
let all: number[];
beforeAll(async () => {
  server = await startTestServer();
  await server.sql(`insert into cohorts (label) values ('long'), ('other')`);
  await server.sql(`insert into subjects (cohort_id, label)
    select 1 + n % 2, 's' || n from generate_series(1, ${many * 2}) n`);
  all = (await server.sql<{ id: string }>('select id from subjects where cohort_id = 1 order by id')).map((row) =>
    Number(row.id),
  );
});
afterAll(() => server.stop());

interface Subjects {
  subjects: { id: number }[];
}

async function read(url: string) {
  const response = await fetch(url, { headers: { authorization: basic('admin', testPassword) } });
  expect(response.status).toBe(200);
  const ids = ((await response.json()) as Subjects).subjects.map(({ id }) => id);
  const next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  return { ids, next: next === undefined ? undefined : new URL(next, server.origin).href };
}

function page(query: Record<string, number>) {
  const url = new URL(server.baseUrl + operations.listCohortSubjects.path.replace('{label}', 'long'));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return read(url.href);
}

describe('a page of the subjects of a cohort', () => {
  it('has the same subjects with offset as with after, and links to the next page unless it is the last page', async () => {
    const size = 2500;
    let after = 0;
    for (let offset = 0; offset < many; offset += size) {
      const [skipped, followed] = [await page({ limit: size, offset }), await page({ limit: size, after })];
      expect(skipped.ids).toEqual(all.slice(offset, offset + size));
      expect(followed.ids).toEqual(skipped.ids);
      expect(followed.next).toEqual(skipped.next);
      expect(skipped.next === undefined).toBe(offset + size >= many);
      after = skipped.ids.at(-1) ?? 0;
    }
  });

  it.each([
    { offset: many },
    { offset: many + 1 },
    { offset: 1_000_000_000 },
    { offset: many, limit: 10 },
    { offset: many, limit: 11_000 },
  ])('with %j beyond the end is empty and has no next page', async (query) => {
    expect(await page(query)).toEqual({ ids: [], next: undefined });
  });

  it('with the offset of the last subject contains only that subject', async () => {
    expect(await page({ offset: many - 1, limit: 10 })).toEqual({ ids: all.slice(-1), next: undefined });
  });

  it.each([
    { limit: 10_000 },
    { limit: 10_001 },
    { limit: 11_000 },
    { limit: 11_999 },
    { limit: 10_500, offset: 500 },
    { limit: 10_500, after: 1001 },
  ])('with %j links to the next page, which has all remaining subjects', async ({ limit, offset = 0, after = 0 }) => {
    const from = after === 0 ? offset : all.findIndex((id) => id > after);
    const { ids, next } = await page({ limit, ...(after === 0 ? { offset } : { after }) });
    expect(ids).toEqual(all.slice(from, from + limit));
    const url = new URL(next ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({ limit: String(limit), after: String(ids.at(-1)) });
    expect(await read(url.href)).toEqual({ ids: all.slice(from + limit), next: undefined });
  });

  it.each([{ limit: many }, { limit: many + 1 }, { limit: 11_000, offset: 1000 }, {}])(
    'with %j reaches the end and has no next page',
    async (query) => {
      const { ids, next } = await page(query);
      expect(ids).toEqual(all.slice('offset' in query ? query.offset : 0));
      expect(next).toBeUndefined();
    },
  );
});

describe('clients that read long lists at the same time', () => {
  it('all get all 12,000 subjects (16 clients)', async () => {
    const lists = await Promise.all(Array.from({ length: 16 }, () => page({})));
    for (const { ids } of lists) expect(ids).toEqual(all);
  });

  it('all get a cohort with its 1,300 subjects (30 clients)', async () => {
    await server.sql(`insert into cohorts (label) values ('study')`);
    await server.sql(`insert into subjects (cohort_id, label) select 3, 's' || n from generate_series(1, 1300) n`);
    const reads = Array.from({ length: 30 }, () => server.call('getCohort', { params: { id: 3 } }));
    const answers = await Promise.all(reads);
    expect(answers.map(({ status, body }) => [status, body.subjects.length])).toEqual(reads.map(() => [200, 1300]));
  });
});
