/**
 * Search results compared with an evaluation in memory. MILEPOST_TEST_QUERIES sets the number of random queries, by default 400.
 *
 * @module-tag sql
 */
import { queries } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { findNaively, sortNaively } from '../../../testing/queries/naive-search.ts';
import { mutated, randomFrom, randomQuery, randomSort } from '../../../testing/queries/random-queries.ts';
import { plainExperiments, searchedStudy, type PlainExperiment } from '../../../testing/queries/searched-study.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import type { SortName } from '../../store/queries/query-sorts.ts';
import { resolveQuery } from '../../store/queries/resolve-query.ts';
import { countFound } from '../../store/queries/count-found.ts';
import { findByQuery } from '../../store/queries/find-by-query.ts';
import { allCohorts, type Scope } from '../../store/scope.ts';

const count = Number(process.env['MILEPOST_TEST_QUERIES'] ?? 400);

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

const search = (query: Record<string, string | number>, as?: string) =>
  server.call('searchExperiments', { query, ...(as !== undefined && { as }) });
const idsOf = (experiments: readonly { id: number }[]) => experiments.map(({ id }) => id);

/** What a user who sees `visible` should find. */
const expected = (q: string, sort = 'id', { visible = all, me = 'admin', onlyPrefixes = false } = {}) =>
  sortNaively(findNaively(visible, queries.readQuery(q).terms, { now: Date.now(), me, onlyPrefixes }), sort);

const countsOf = (found: readonly PlainExperiment[]) =>
  Object.fromEntries(
    [...Map.groupBy(found, ({ workflow, state }) => `${workflow} ${state}`)].map(([key, ones]) => [key, ones.length]),
  );
const shownCounts = (states: { state: { label: string }; workflow: { label: string }; experiments: number }[]) =>
  Object.fromEntries(
    states.map(({ state, workflow, experiments }) => [`${workflow.label} ${state.label}`, experiments]),
  );

describe('a search', () => {
  it('returns each experiment with what a table shows', async () => {
    const { body } = await search({ q: 'id:1 var.age>=0' });
    const [one] = all;
    expect(body.experiments).toMatchObject([
      {
        id: 1,
        label: one?.label,
        subject: { label: one?.subject },
        cohort: { label: one?.cohort },
        state: { label: one?.state },
        entered_at: expect.any(String),
        incidents: expect.any(Array),
        executions: expect.any(Array),
        external_ids: { XNAT: expect.any(String) },
        variables: { age: 41 },
      },
    ]);
    expect(body.states).toMatchObject([{ state: { label: one?.state }, experiments: 1 }]);
  });

  it('finds an experiment by a part of its external ID', async () => {
    const wanted = all.find(({ external }) => external.some(({ system }) => system === 'XNAT'));
    const id = wanted?.external.find(({ system }) => system === 'XNAT')?.id ?? '';
    expect(idsOf((await search({ q: id.slice(-6).toLowerCase() })).body.experiments)).toContain(wanted?.id);
  });

  it('finds experiments that an import created in a state by the day of their arrival', async () => {
    const imported = all.find(({ moves: [first] }) => first?.entered === 'done' && first.left !== 'done');
    const day = imported?.moves[0]?.at.slice(0, 10);
    for (const q of [`arrived:${day}`, `finished:${day}`, `entered.done:${day}`]) {
      const found = idsOf((await search({ q, limit: 200 })).body.experiments);
      expect([q, found]).toEqual([q, idsOf(expected(q))]);
      expect([q, found]).toEqual([q, expect.arrayContaining([imported?.id])]);
    }
  });

  it('rejects a cursor with a time that does not exist', async () => {
    for (const time of ['2026-13-45 99:99:99', '2026-02-30 00:00:00', '0000-01-01 00:00:00']) {
      const after = Buffer.from(JSON.stringify(['scanned', time, 1])).toString('base64url');
      expect(await search({ q: '', sort: 'scanned', after })).toMatchObject({ status: 400 });
    }
  });

  it('points at the word that is wrong', async () => {
    const { status, body } = await search({ q: 'id:5 stat:done state:dome cohort:memry-clinic' });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '?q', detail: expect.any(String), column: 6, length: 4, suggestion: 'Did you mean state?' },
    ]);
    const named = (await search({ q: 'id:5 state:dome cohort:memry-clinic external.XNT:x' })).body.errors;
    expect(named.map(({ column, suggestion }: { column: number; suggestion: string }) => [column, suggestion])).toEqual(
      [
        [12, 'Did you mean done?'],
        [24, 'Did you mean memory-clinic?'],
        [37, 'Did you mean XNAT?'],
      ],
    );
    const past = (await search({ q: 'id:5 left.dome:2026 failed.chek:2026 failed.7-none:2026' })).body.errors;
    expect(past.map(({ detail, suggestion }: { detail: string; suggestion?: string }) => [detail, suggestion])).toEqual(
      [
        [expect.stringContaining('No state `dome`.'), 'Did you mean done?'],
        [expect.stringContaining('No callback `chek`.'), 'Did you mean check?'],
        [expect.stringContaining('No callback `7-none`.'), undefined],
      ],
    );
  });

  it('rejects a cursor of another order', async () => {
    const { headers } = await search({ q: '', sort: 'label', limit: 1 });
    const after = /after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(await search({ q: '', sort: 'id', after })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?after' }] },
    });
    expect(await search({ q: '', after: 'x' })).toMatchObject({ status: 400 });
  });

  it('shows only experiments of the cohorts that a user can read, and counts only them', async () => {
    await server.addUser('carla', []);
    await server.call('assignCohortRole', { params: { username: 'carla', role_name: 'admin', cohort_id: 2 } });
    const visible = all.filter(({ cohort }) => cohort === 'trial b');
    const random = randomFrom(seed);
    for (const q of [
      '',
      '00',
      'incident:any',
      '-state:done',
      ...Array.from({ length: 40 }, () => randomQuery(random, visible)),
    ]) {
      const wanted = expected(q, 'id', { visible, me: 'carla' });
      const { status, body } = await search({ q, limit: 200 }, 'carla');
      if (status === 400) continue;
      expect([q, idsOf(body.experiments)]).toEqual([q, idsOf(wanted).slice(0, 200)]);
      expect([q, shownCounts(body.states)]).toEqual([q, countsOf(wanted)]);
    }
    const foreign = await search({ q: 'cohort:Ageing' }, 'carla');
    const absent = await search({ q: 'cohort:Ageins' }, 'carla');
    expect(foreign.status).toBe(400);
    expect(foreign.body.errors[0].detail.replace('Ageing', 'Ageins')).toBe(absent.body.errors[0].detail);
  });
});

describe('random queries', () => {
  it('find the experiments that an evaluation in memory finds, page by page', { timeout: 3_600_000 }, async () => {
    const random = randomFrom(seed);
    let [found, rejected] = [0, 0];
    for (let n = 0; n < count; n++) {
      const [q, sort, limit] = [randomQuery(random, all), randomSort(random), 1 + Math.floor(random() * 200)];
      const { status, body, headers } = await search({ q, sort, limit });
      expect([q, status]).toEqual([q, queries.readQuery(q).errors.length > 0 ? 400 : 200]);
      if (status === 400) rejected++;
      if (status !== 200) continue;
      const wanted = expected(q, sort);
      found += wanted.length;
      expect([q, sort, idsOf(body.experiments)]).toEqual([q, sort, idsOf(wanted).slice(0, limit)]);
      expect([q, shownCounts(body.states), body.more]).toEqual([q, countsOf(wanted), false]);
      const after = /[?&]after=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
      expect([q, after !== undefined]).toEqual([q, wanted.length > limit]);
      if (after === undefined) continue;
      const next = await search({ q, sort, limit, after });
      expect([q, sort, idsOf(next.body.experiments)]).toEqual([q, sort, idsOf(wanted).slice(limit, 2 * limit)]);
    }
    expect(found).toBeGreaterThan(count * 10);
    expect(rejected).toBeLessThan(count / 4);
  });

  it(
    'are accepted or rejected without an internal error if their text is mutated',
    { timeout: 3_600_000 },
    async () => {
      const random = randomFrom(seed + 1);
      const statuses = new Map<number, number>();
      for (let n = 0; n < count; n++) {
        // As the client encodes it.
        const q = mutated(random, randomQuery(random, all)).toWellFormed();
        const { status, body } = await search({ q, limit: 5 });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect([q, [200, 400].includes(status)]).toEqual([q, true]);
        if (status === 200) expect([q, idsOf(body.experiments)]).toEqual([q, idsOf(expected(q)).slice(0, 5)]);
      }
      expect(new Set(statuses.keys())).toEqual(new Set([200, 400]));
    },
  );
});

describe('with small limits', () => {
  const limits = { buffers: 120, rows: 400, all: 30, counted: 200 };

  async function searchSmall(q: string, sort: string, limit: number, { scope = allCohorts, most = 3 } = {}) {
    const { db } = server.database;
    const query = await resolveQuery(db, { id: admin, scope }, queries.readQuery(q).terms);
    if ('errors' in query) throw new Error(q);
    const isDescending = sort.startsWith('-');
    const request = { query, sort: sort.replace(/^-/, '') as SortName, isDescending, limit };
    const pages: number[][] = [];
    for (let after: { key: string; id: number } | undefined; ;) {
      const page = await findByQuery(db, scope, { ...request, after }, limits);
      if ('refused' in page) return { pages, refused: page.refused };
      pages.push(idsOf(page.found));
      after = page.next;
      if (!after || pages.length > most) return { pages, query, candidates: page.candidates };
    }
  }

  it('each page is read along an index, or the query is refused', { timeout: 3_600_000 }, async () => {
    const random = randomFrom(seed + 2);
    const outcomes = { walked: 0, sorted: 0, terms: 0, sort: 0 };
    for (let n = 0; n < count; n++) {
      const [q, sort, limit] = [randomQuery(random, all), randomSort(random), 1 + Math.floor(random() * 20)];
      if (queries.readQuery(q).errors.length > 0) continue;
      const { pages, refused, candidates } = await searchSmall(q, sort, limit);
      outcomes[refused ?? (candidates ? 'sorted' : 'walked')]++;
      const found = pages.flat();
      expect([q, sort, found]).toEqual([q, sort, idsOf(expected(q, sort)).slice(0, found.length)]);
    }
    for (const number of Object.values(outcomes)) expect(number).toBeGreaterThan(count / 100);
  });

  it('a list that began is complete, although some pages have few experiments', { timeout: 3_600_000 }, async () => {
    const random = randomFrom(seed + 3);
    let short = 0;
    for (let n = 0; n < count / 4; n++) {
      const [q, sort] = [randomQuery(random, all), randomSort(random)];
      if (queries.readQuery(q).errors.length > 0) continue;
      const { pages, refused } = await searchSmall(q, sort, 20, { most: Infinity });
      if (pages.length > 0) {
        expect([q, sort, refused, pages.flat()]).toEqual([q, sort, undefined, idsOf(expected(q, sort))]);
      }
      short += pages.slice(0, -1).filter((page) => page.length < 20).length;
    }
    expect(short).toBeGreaterThan(0);
  });

  it('finds the experiments of one cohort, whatever the number of others', async () => {
    for (const cohort of await server.sql<{ id: number; label: string }>('select id::int, label from cohorts')) {
      const scope: Scope = { kind: 'cohorts', ids: [cohort.id] };
      const visible = all.filter((one) => one.cohort === cohort.label);
      const { pages, refused } = await searchSmall('', 'id', 90, { scope });
      expect(refused).toBeUndefined();
      expect(pages.flat()).toEqual(idsOf(visible).slice(0, 360));
      const { states } = await countFound(server.database.db, scope, { terms: [], findsSubstrings: true }, undefined);
      expect(states.reduce((sum, { experiments }) => sum + experiments, 0)).toBe(visible.length);
    }
  });

  it('uses a term that finds few experiments, also after one that finds many', async () => {
    const [one] = all;
    for (const q of [`id>0 label:"${one?.label}"`, `label:* "${one?.label}"`]) {
      const { pages, candidates } = await searchSmall(q, 'subject', 10);
      expect([q, candidates === undefined, pages.flat()]).toEqual([
        q,
        false,
        idsOf(expected(q, 'subject')).slice(0, 10),
      ]);
    }
  });

  it('finds nothing in two states or two cohorts at once', async () => {
    for (const q of ['state:done state:arrived var.age>0', 'cohort:Ageing cohort:"trial b" var.age>0']) {
      expect((await searchSmall(q, 'id', 10)).pages).toEqual([[]]);
    }
  });

  it('reads no index for a word without three letters or digits in a row', async () => {
    expect((await searchSmall('"___"', 'cohort', 10)).refused).toBe('sort');
  });

  it('returns minimum counts when the limit is reached', async () => {
    const query = { terms: [], findsSubstrings: true };
    const { states, hasMore } = await countFound(server.database.db, allCohorts, query, undefined, limits);
    expect(hasMore).toBe(true);
    expect(states.reduce((sum, { experiments }) => sum + experiments, 0)).toBeGreaterThanOrEqual(limits.counted);
  });
});

describe('without the index of substrings', () => {
  it('words match the beginning of labels and external IDs', async () => {
    const { ownerUrl } = server.testDatabase;
    await withClient(ownerUrl, (client) => client.query('drop index experiment_search_text_index'));
    for (const q of ['mc-0', '-TB_', 'XNAT_E00', 'xnat_e00', 'aseline', '"Age 0" withdrawn:no']) {
      const wanted = idsOf(expected(q, 'id', { onlyPrefixes: true }));
      expect([q, idsOf((await search({ q, limit: 200 })).body.experiments)]).toEqual([q, wanted.slice(0, 200)]);
    }
    expect((await search({ q: 'aseline' })).body.experiments).toEqual([]);
  });
});
