/**
 * The audit log, its checkpoints and its export (docs/decisions/0028). The matrix covers the statuses of each request.
 *
 * @module-tag sql
 */
import { createPublicKey } from 'node:crypto';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Experiment, type World } from '../../../testing/cases/world.ts';
import { withClient } from '../../../testing/test-database.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../../testing/server.ts';
import { signAll } from '../../../testing/sign-all.ts';
import { createCheckpointKey, readCheckpointKey } from '../../chain/checkpoint-key.ts';
import { verifyExport } from '../../chain/verify-export.ts';
import { listAuditIds } from '../../store/record/audit.ts';
import type { AuditFilter } from '../../store/record/audit-conditions.ts';
import { allCohorts } from '../../store/scope.ts';

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

/** Reads all pages through their `next` links. */
async function readPages(query: NonNullable<Parts['query']>) {
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

/** The time that a test assigns to an entry. */
const assignedTime = (id: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + id * 90_000).toISOString();

describe('GET /audit', () => {
  it.each([
    ['all changes', () => ({}), () => 'true'],
    [
      'changes to an experiment',
      () => ({ experiment_id: experiment.id }),
      () => `chain = 'experiment' and chain_id = ${experiment.id}`,
    ],
    ['changes by a user', () => ({ actor: author.id }), () => `actor_kind = 'user' and actor_id = ${author.id}`],
    ['changes to one kind of object', () => ({ object_kind: 'user' }), () => `object_kind = 'user'`],
    ['changes by one operation', () => ({ operation: 'addNote' }), () => `operation = 'addNote'`],
    [
      'changes to a note',
      () => ({ object_kind: 'note', object_id: 3 }),
      () => `object_kind = 'note' and object_id = 3`,
    ],
    [
      'changes to a user',
      () => ({ object_kind: 'user', object_id: 1 }),
      () => `object_kind = 'user' and object_id = 1`,
    ],
    [
      'changes to an experiment by a user',
      () => ({ experiment_id: experiment.id, actor: author.id }),
      () => `actor_id = ${author.id}`,
    ],
  ])('returns %s once each, newest first, for any page size', async (_what, query, where) => {
    const wanted = await idsOf(where());
    expect(wanted.length).toBeGreaterThan(0);
    for (const limit of [1, 3, 1000]) {
      const pages = await readPages({ ...query(), limit });
      expect(pages.flat()).toEqual(wanted);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  it('returns an empty page without a next link for limit 0', async () => {
    expect(await readPages({ limit: 0 })).toEqual([[]]);
  });

  it('accepts a `before` id that does not match the filter', async () => {
    const [newest = 0, ...older] = await idsOf(`chain = 'experiment' and chain_id = ${experiment.id}`);
    const query = { experiment_id: experiment.id };
    const idsBefore = async (before: number) =>
      (await server.call('listAudit', { query: { ...query, before } })).body.entries.map(
        ({ id }: { id: number }) => id,
      );
    expect(await idsBefore(newest)).toEqual(older);
    expect(await idsBefore(newest + 1)).toEqual([newest, ...older]);
  });

  it('combines `from` and `to` with the other filters', async () => {
    const all = await server.sql<{ id: string; at: Date }>('select id, at from history order by id desc');
    // More than a minute apart, because the search starts a minute earlier and ends a minute later.
    await withClient(server.testDatabase.superuserUrl, (client) =>
      client.query(
        `set session_replication_role = replica; update history set at = '2026-01-01Z'::timestamptz + id * interval '90 seconds'`,
      ),
    );
    const ids = all.map(({ id }) => Number(id));
    const [high, low] = [ids[4] ?? 0, ids[12] ?? 0];
    const within = (where: string) => idsOf(`id >= ${low} and id < ${high} and ${where}`);
    const period = { from: assignedTime(low), to: assignedTime(high) };
    for (const [query, where] of [
      [{}, 'true'],
      [{ experiment_id: experiment.id }, `chain = 'experiment' and chain_id = ${experiment.id}`],
      [{ object_kind: 'user' }, `chain = 'users'`],
      [{ actor: author.id }, `actor_id = ${author.id}`],
    ] as const) {
      expect((await readPages({ ...query, ...period, limit: 2 })).flat()).toEqual(await within(where));
    }
    expect(await readPages({ from: assignedTime(ids[0] ?? 0) })).toEqual([[ids[0]]]);
    expect(await readPages({ to: assignedTime(1) })).toEqual([[]]);
  });

  it('marks an entry as erased if its values were destroyed', async () => {
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

/** Reads all pages, each of which examines at most `scanLimit` entries. */
async function walk(filter: AuditFilter, scanLimit: number) {
  const pages: number[][] = [];
  for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
    const { ids, next } = await listAuditIds(server.database.db, allCohorts, filter, { before, limit: 2, scanLimit });
    pages.push(ids);
    before = next();
  }
  return pages;
}

describe('a search that examines only a few entries per page', () => {
  it.each([
    ['the whole history', () => ({ operation: 'createCohort' }), `operation = 'createCohort'`],
    ['one chain', () => ({ object_kind: 'user', operation: 'createUser' }) as const, `operation = 'createUser'`],
  ])('finds every match in %s, even if some pages are not full', async (_what, filter, where) => {
    for (const scanLimit of [1, 2, 3, 4, 5]) {
      const pages = await walk(filter(), scanLimit);
      expect(pages.flat()).toEqual(await idsOf(where));
      expect(pages.some((page) => page.length < 2)).toBe(true);
    }
  });
});

describe('a signed history', () => {
  const key = readCheckpointKey(createCheckpointKey());
  let signed: TestServer;
  beforeAll(async () => {
    signed = await startTestServer();
    await createWorld(signed).experiment();
    await signAll(signed.database.db, key);
  });
  afterAll(() => signed.stop());

  it('is exported to a file that can be verified with only the public key (V5.4.1, V5.4.2)', async () => {
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

  it('has checkpoints that are listed with the time of the first unsigned entry', async () => {
    const { body: all } = await signed.call('listCheckpoints');
    expect(all.checkpoints.at(-1)).toMatchObject({ number: 1, key_id: key.id });
    expect(all.unsigned_since).toBeNull();
    await signed.call('createCohort', { body: { label: 'not signed yet' } });
    const [entry] = (await signed.call('listAudit', { query: { limit: 1 } })).body.entries;
    const { body: then } = await signed.call('listCheckpoints', { query: { limit: 0 } });
    expect(then).toEqual({ checkpoints: [], unsigned_since: entry.at, verification: null, last_result: null });
  });

  it('has checkpoints that are listed in pages, newest first', async () => {
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
  it('returns 503 while all streams are in use, and releases its own stream at the end', async () => {
    const before = server.database.streams.active();
    const held = Array.from({ length: 201 }, () => server.database.streams.read(endless));
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
