/**
 * The filters of the audit log by kind, author and subject, its counts per day, and the same filters in exports
 * (docs/decisions/0028).
 *
 * @module-tag sql
 */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
let subject: { id: number };
let experiments: number[];
const person = 'auditor';
const definition = `label: judged
states:
  - label: arrived
    callbacks: [{label: convert, function: worker, callback_arguments: {queue: nobody}}]
    transitions: [{destination: check}]
  - label: check
    decision: {}
    transitions: [{destination: done}]
  - {label: done}
`;

beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  const body = { username: person, email: `${person}@site.org`, password: testPassword };
  await server.call('createUser', { body });
  await server.call('assignUserRole', { params: { username: person, role_name: 'admin' } });
  subject = await world.subject();
  await server.call('importWorkflow', { body: { workflow_definition: definition } });
  experiments = [];
  for (const label of ['first', 'second']) {
    const made = { label, subject_id: subject.id, workflow_label: 'judged' };
    experiments.push((await server.call('createExperiment', { body: made })).body.id);
  }
  const params = { id: experiments[0] ?? 0 };
  for (const state_label of ['check', 'done'])
    await server.call('setExperimentState', { params, body: { state_label }, as: person });
  await server.call('withdrawSubject', {
    params: { id: subject.id },
    body: { date: '2026-01-01', reason: 'Letter' },
    as: person,
  });
  await server.call('signIn', { body: { username: person, password: testPassword } });
  await server.sql(
    `insert into users (username, username_key, email, email_key) values ('sync', 'sync', 's@b', 's@b')`,
  );
  await server.sql(`insert into history (actor_kind, actor_id, operation, object_kind, object_id)
    select 'user', id, 'updateUser', 'user', id from users where username = 'sync'`);
  await server.sql(`insert into history (actor_kind, operation, object_kind, object_id)
    values ('engine', 'reconcile', 'experiment', ${experiments[1]})`);
});
afterAll(() => server.stop());

interface Entry {
  id: number;
  at: string;
  kind: string;
  operation: string;
  actor: { name: string; is_service_account: boolean };
  object: { kind: string; id: number };
  chain: { kind: string; id: number };
}

type Query = NonNullable<Parts['query']>;

const list = async (query: Query): Promise<Entry[]> => (await server.call('listAudit', { query })).body.entries;
const objectKindsOf = async (query: Query) => (await list(query)).map(({ object }) => object.kind).toSorted();
const exactly = (count = 0) => ({ count, is_exact: true });
const operationsOf = async (query: Query) => (await list(query)).map(({ operation }) => operation);

describe('GET /audit', () => {
  it('finds the entries of a subject and of its experiments, newest first, for any page size', async () => {
    const all = await list({ subject_id: subject.id });
    expect(new Set(all.map(({ chain: { kind, id } }) => `${kind} ${id}`))).toEqual(
      new Set([`subject ${subject.id}`, ...experiments.map((id) => `experiment ${id}`)]),
    );
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const pages: number[] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
      const { body } = await server.call('listAudit', { query: { subject_id: subject.id, limit: 2, before } });
      pages.push(...body.entries.map(({ id }: Entry) => id));
      before = body.next;
    }
    expect(pages).toEqual(ids);
  });

  it('returns only changes by people, or only those by programs', async () => {
    const all = await list({ limit: 1000 });
    const byPeople = await list({ by: 'people', limit: 1000 });
    const byPrograms = await list({ by: 'programs', limit: 1000 });
    expect(byPrograms.slice(0, 2)).toMatchObject([
      { operation: 'reconcile' },
      { operation: 'updateUser', actor: { name: 'sync', is_service_account: true } },
    ]);
    expect([...byPeople, ...byPrograms].map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      all.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });

  it('distinguishes a decision from another move', async () => {
    expect(await list({ kind: 'decision', experiment_id: experiments[0] ?? 0, parts: false })).toMatchObject([
      { operation: 'withdrawSubject' },
      { operation: 'setExperimentState', after: { state: 'done' }, kind: 'decision' },
    ]);
    expect(await list({ kind: 'move' })).toMatchObject([{ after: { state: 'check' }, kind: 'move' }]);
  });

  it('returns every entry under one kind', async () => {
    const all = await list({ limit: 1000 });
    const kinds = [...new Set(all.map(({ kind }) => kind))];
    expect(kinds.length).toBeGreaterThan(5);
    const found = await Promise.all(kinds.map((kind) => list({ kind, limit: 1000 })));
    expect(
      found
        .flat()
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
    ).toEqual(all.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  it('leaves out sign-ins', async () => {
    expect(await operationsOf({ operation: 'signIn' })).toEqual(['signIn']);
    expect(await operationsOf({ operation: 'signIn', sign_ins: false })).toEqual([]);
  });

  it('returns one entry for a withdrawal without its parts', async () => {
    expect(await objectKindsOf({ operation: 'withdrawSubject' })).toEqual(['experiment', 'experiment', 'subject']);
    expect(await objectKindsOf({ operation: 'withdrawSubject', parts: false })).toEqual(['subject']);
  });

  it('names the state from which an experiment moved', async () => {
    const { body } = await server.call('listAudit', { query: { kind: 'move' } });
    const transition = body.entries[0].after.transition_id;
    expect(body.names).toContainEqual(
      expect.objectContaining({
        kind: 'transition',
        id: transition,
        state: { id: expect.any(Number), label: 'arrived' },
      }),
    );
  });

  it('counts the entries of each day, and those of programs that it leaves out', async () => {
    const query = { by: 'people', time_zone: 'UTC', limit: 1000 } as const;
    const { body } = await server.call('listAudit', { query });
    const days = Map.groupBy(body.entries as Entry[], ({ at }) => at.slice(0, 10));
    const hidden = Map.groupBy(await list({ by: 'programs', limit: 1000 }), ({ at }) => at.slice(0, 10));
    expect(body.days).toEqual(
      [...days].map(([day, entries]) => ({
        day,
        entries: exactly(entries.length),
        hidden: exactly(hidden.get(day)?.length),
      })),
    );
  });
});

const exported = async (query: Record<string, string>, accept: string): Promise<string[]> => {
  const headers = { authorization: basic('admin', testPassword), accept };
  const response = await fetch(`${server.baseUrl}/audit?${new URLSearchParams(query).toString()}`, { headers });
  expect(response.status).toBe(200);
  return (await response.text()).trimEnd().split(/\r?\n/);
};

describe('an export of the audit log', () => {
  it.each([
    ['people', { by: 'people', sign_ins: 'false', parts: 'false' }],
    ['programs', { by: 'programs' }],
    ['a kind', { kind: 'data' }],
    ['a kind of sign-in', { kind: 'sign_in' }],
  ])('has exactly the entries that the filter by %s shows', async (_what, query) => {
    const shown = (await list({ ...query, limit: 1000 })).map(({ id }) => id);
    expect(shown.length).toBeGreaterThan(0);
    const lines = await exported(query, 'application/x-ndjson');
    expect(lines.map((line) => (JSON.parse(line) as Entry).id)).toEqual(shown);
    const [header, ...rows] = await exported({ ...query, columns: 'id,kind' }, 'text/csv');
    expect(header).toBe('id,kind');
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual(shown);
  });

  it('has the entries of a subject and a person', async () => {
    const query = { subject_id: String(subject.id), actor: '1' };
    const shown = (await list(query)).map(({ id }) => id);
    expect(shown.length).toBeGreaterThan(1);
    const lines = await exported(query, 'application/x-ndjson');
    expect(lines.map((line) => (JSON.parse(line) as Entry).id)).toEqual(shown);
  });
});
