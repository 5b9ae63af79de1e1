/**
 * What is particular about the audit (docs/decisions/0028); what each request may end in stands in the matrix.
 *
 * @module-tag sql
 */
import { createPublicKey } from 'node:crypto';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Experiment, type World } from '../../testing/cases/world.ts';
import { withClient } from '../../testing/postgres.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../testing/server.ts';
import { signAll } from '../../testing/sign-all.ts';
import { createCheckpointKey, readCheckpointKey } from '../chain/checkpoint-key.ts';
import { verifyExport } from '../chain/verify-export.ts';
import { listAuditIds, type AuditFilter } from '../store/audit.ts';
import { allCohorts } from '../store/scope.ts';

let server: TestServer;
let world: World;
let experiment: Experiment;
let author: { id: number; username: string };
const notes = 7;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  experiment = await world.experiment();
  author = await world.user('sample_update');
  const params = { id: experiment.id };
  for (let index = 0; index < notes; index++) {
    await server.call('addNote', { params, body: { text: `note ${index}` }, as: author.username });
    await world.user();
    await server.call('createUser', { body: newUser(index) });
  }
});
afterAll(() => server.stop());

const newUser = (index: number) => ({
  username: `auditor${index}`,
  email: `auditor${index}@site.org`,
  password: 'correct horse battery staple',
});

const idsOf = async (where: string): Promise<number[]> =>
  (await server.sql<{ id: string }>(`select id from history where ${where} order by id desc`)).map(({ id }) =>
    Number(id),
  );

/** Follows the links from page to page. */
async function follow(query: NonNullable<Parts['query']>) {
  const pages: number[][] = [];
  let before: string | null | undefined;
  do {
    const { body, headers } = await server.call('listAudit', {
      query: { ...query, ...(before && { before }) },
    });
    pages.push(body.entries.map(({ id }: { id: number }) => id));
    before = /[?&]before=(\d+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  } while (before !== undefined);
  return pages;
}

/** When an entry is as if it had been written. */
const moment = (id: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + id * 90_000).toISOString();

describe('GET /audit', () => {
  it.each([
    ['everything', () => ({}), () => 'true'],
    [
      'an experiment',
      () => ({ experiment_id: experiment.id }),
      () => `chain = 'experiment' and chain_id = ${experiment.id}`,
    ],
    ['a person', () => ({ actor: author.id }), () => `actor_kind = 'user' and actor_id = ${author.id}`],
    ['a kind', () => ({ object_kind: 'user' }), () => `object_kind = 'user'`],
    ['an operation', () => ({ operation: 'addNote' }), () => `operation = 'addNote'`],
    ['a note', () => ({ object_kind: 'note', object_id: 3 }), () => `object_kind = 'note' and object_id = 3`],
    ['a user', () => ({ object_kind: 'user', object_id: 1 }), () => `object_kind = 'user' and object_id = 1`],
    [
      'an experiment by a person',
      () => ({ experiment_id: experiment.id, actor: author.id }),
      () => `actor_id = ${author.id}`,
    ],
  ])('of %s gives each change once, the newest first, however short the pages', async (_what, query, where) => {
    const wanted = await idsOf(where());
    expect(wanted.length).toBeGreaterThan(0);
    for (const limit of [1, 3, 1000]) {
      const pages = await follow({ ...query(), limit });
      expect(pages.flat()).toEqual(wanted);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  it('with a limit of 0 is empty, and has no next page', async () => {
    expect(await follow({ limit: 0 })).toEqual([[]]);
  });

  it('behind an id that is none of the experiment shows what is older', async () => {
    const [newest = 0, ...older] = await idsOf(`chain = 'experiment' and chain_id = ${experiment.id}`);
    const query = { experiment_id: experiment.id };
    const behind = async (before: number) =>
      (await server.call('listAudit', { query: { ...query, before } })).body.entries.map(
        ({ id }: { id: number }) => id,
      );
    expect(await behind(newest)).toEqual(older);
    expect(await behind(newest + 1)).toEqual([newest, ...older]);
  });

  it('between two moments shows what was written then, by whatever it is looked for', async () => {
    const all = await server.sql<{ id: string; at: Date }>('select id, at from history order by id desc');
    // Each a minute and more after the one before, as the walk begins a minute earlier and ends a minute later.
    await withClient(server.testDatabase.superuserUrl, (client) =>
      client.query(
        `set session_replication_role = replica; update history set at = '2026-01-01Z'::timestamptz + id * interval '90 seconds'`,
      ),
    );
    const ids = all.map(({ id }) => Number(id));
    const [high, low] = [ids[4] ?? 0, ids[12] ?? 0];
    const within = (where: string) => idsOf(`id >= ${low} and id < ${high} and ${where}`);
    const moments = { from: moment(low), to: moment(high) };
    for (const [query, where] of [
      [{}, 'true'],
      [{ experiment_id: experiment.id }, `chain = 'experiment' and chain_id = ${experiment.id}`],
      [{ object_kind: 'user' }, `chain = 'users'`],
      [{ actor: author.id }, `actor_id = ${author.id}`],
    ] as const) {
      expect((await follow({ ...query, ...moments, limit: 2 })).flat()).toEqual(await within(where));
    }
    expect(await follow({ from: moment(ids[0] ?? 0) })).toEqual([[ids[0]]]);
    expect(await follow({ to: moment(1) })).toEqual([[]]);
  });

  it('shows values that were destroyed as erased', async () => {
    const [id = 0] = await idsOf(`operation = 'addNote'`);
    await withClient(server.testDatabase.ownerUrl, (client) =>
      client.query('delete from history_values where history_id = $1', [id]),
    );
    const { body } = await server.call('listAudit', { query: { operation: 'addNote', limit: 2 } });
    expect(body.entries).toMatchObject([
      { id, erased: true, after: { experiment_id: experiment.id } },
      { erased: false, after: { text: 'note 5' } },
    ]);
    expect(body.entries[0].after.text).toBeUndefined();
  });
});

/** As many looks as a page may make, and where each stopped. */
async function walk(filter: AuditFilter, looks: number) {
  const pages: number[][] = [];
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const { ids, next } = await listAuditIds(server.database.db, allCohorts, filter, { before, limit: 2, looks });
    pages.push(ids);
    before = next();
  }
  return pages;
}

describe('a page that looks at few entries', () => {
  it.each([
    ['all', () => ({ operation: 'createCohort' }), `operation = 'createCohort'`],
    ['a chain', () => ({ object_kind: 'user', operation: 'createUser' }) as const, `operation = 'createUser'`],
  ])('of %s goes on where it stopped, though it found nothing', async (_what, filter, where) => {
    for (const looks of [1, 2, 3, 4, 5]) {
      const pages = await walk(filter(), looks);
      expect(pages.flat()).toEqual(await idsOf(where));
      expect(pages.some((page) => page.length < 2)).toBe(true);
    }
  });
});

describe('a history that is signed', () => {
  const key = readCheckpointKey(createCheckpointKey());
  let signed: TestServer;
  beforeAll(async () => {
    signed = await startTestServer();
    await createWorld(signed).experiment();
    await signAll(signed.database.db, key);
  });
  afterAll(() => signed.stop());

  it('is exported as a file that verifies with the public key alone (V5.4.1, V5.4.2)', async () => {
    const headers = { authorization: basic('admin', testPassword) };
    const response = await fetch(`${signed.baseUrl}/audit/export`, { headers });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="history.ndjson"');
    const lines = (await response.text()).trimEnd().split('\n');
    const verdict = await verifyExport(each(lines), [createPublicKey(key.privateKey)]);
    expect(verdict).toMatchObject({ fault: undefined, signed: { bad: undefined }, history: { bad: undefined } });
    expect(verdict.history.unsigned).toBe(0);
    expect(verdict.history.entries).toBe(lines.length - 2 - verdict.signed.checkpoints);
    expect(verdict.history.entries).toBeGreaterThan(3);
  });

  it('says so, and since when there is more to sign', async () => {
    const { body: all } = await signed.call('listCheckpoints');
    expect(all.checkpoints.at(-1)).toMatchObject({ number: 1, key_id: key.id });
    expect(all.unsigned_since).toBeNull();
    await signed.call('createCohort', { body: { label: 'not signed yet' } });
    const [entry] = (await signed.call('listAudit', { query: { limit: 1 } })).body.entries;
    const { body: then } = await signed.call('listCheckpoints', { query: { limit: 0 } });
    expect(then).toEqual({ checkpoints: [], unsigned_since: entry.at });
  });

  it('shows its checkpoints in pages, the newest first', async () => {
    await signed.sql(`insert into checkpoints select number + 1, at, up_to_xid, up_to_id, heads, key_id, hash, signature
      from checkpoints order by number desc limit 1`);
    const { body, headers } = await signed.call('listCheckpoints', { query: { limit: 1 } });
    const newest = body.checkpoints[0].number;
    expect(newest).toBeGreaterThan(1);
    expect(headers.get('link')).toBe(`</api/v2/audit/checkpoints?limit=1&before=${newest}>; rel="next"`);
    const { body: older, headers: last } = await signed.call('listCheckpoints', {
      query: { limit: 100, before: newest },
    });
    expect(older.checkpoints[0]).toMatchObject({ number: newest - 1 });
    expect(older.checkpoints).toHaveLength(newest - 1);
    expect(last.get('link')).toBeNull();
  });
});

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

describe('GET /audit/export', () => {
  it('gives its place back, and beyond as many as there are is 503', async () => {
    const before = server.database.streams.active();
    const held = Array.from({ length: 20 }, () => server.database.streams.readPages(endless));
    const refusals = await Promise.allSettled(held.map((reading) => reading.next()));
    expect(refusals.some(({ status }) => status === 'rejected')).toBe(true);
    expect(await server.call('exportAudit')).toMatchObject({ status: 503, body: { code: 'busy' } });
    await Promise.all(held.map((reading) => reading.return()));
    expect((await server.call('exportAudit')).status).toBe(200);
    await expect.poll(() => server.database.streams.active()).toBe(before);
  });
});

async function* endless(): AsyncGenerator<number> {
  for (let count = 0; ; count++) yield count;
}
