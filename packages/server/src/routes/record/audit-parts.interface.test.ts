/**
 * The audit log without the parts of changes: one entry for a bulk operation or a withdrawal, unless the search cannot find that entry.
 *
 * @module-tag sql
 */
import { basic, changeKinds } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBulkWorld, type BulkCohort, type BulkWorld } from '../../../testing/bulk-world.ts';
import { engineContext } from '../../../testing/engine-context.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { runImports } from '../../engine/spreadsheets/run-imports.ts';

let server: TestServer;
let cohort: BulkCohort;
let subject: number;
const auditor = 'auditor';

beforeAll(async () => {
  server = await startTestServer();
  const world = await createBulkWorld(server);
  cohort = await world.cohortWith(2);
  const [experiment] = cohort.ids;
  subject = (await server.call('getExperiment', { params: { id: experiment ?? 0 } })).body.subject.id;
  const id = await world.checkedMove(cohort.ids);
  await world.apply(id);
  await world.work();
  const body = { date: '2026-01-01', reason: 'Letter' };
  await server.call('withdrawSubject', { params: { id: subject }, body });
  await server.addUser(auditor, []);
  const role = { username: auditor, role_name: 'admin', cohort_id: cohort.id };
  await server.call('assignCohortRole', { params: role });
  const { ids: experiment_ids } = await world.cohortWith(2);
  await world.create('place', { experiment_ids, state: 'other', reason: 'Wrong state' });
  await world.create('note', { experiment_ids, text: 'Seen', reason: 'Monitoring' });
  await world.create('assign', { experiment_ids, user_id: null, reason: 'Monitoring' });
  await world.work();
  await server.sql(`insert into history (actor_kind, actor_id, operation, object_kind, object_id, after)
    values ('user', 1, 'retryExperiment', 'experiment', ${experiment_ids[0]}, '{"bulk_operation_id": 1}')`);
  await importSpreadsheet(world);
  await moveByDefinition(world);
});
afterAll(() => server.stop());

async function importSpreadsheet(world: BulkWorld): Promise<void> {
  const label = await world.importWorkflow('states: [{label: start}]');
  const [workflow] = await server.sql<{ id: number }>('select id::int from workflows where label = $1', [label]);
  const query = { cohort_id: (await world.subject()).cohort.id, workflow_id: workflow?.id ?? 0 };
  const body = 'subject,experiment,age\nA-1,first,40\nA-2,first,50\n';
  const { id } = (await server.call('createImport', { query, body })).body;
  const context = { ...engineContext(server, 'runImports'), linesPerSecond: 1000 };
  await runImports(context);
  await server.call('applyImport', { params: { id } });
  await runImports(context);
}

/** A new definition without the state of an experiment, which moves it. */
async function moveByDefinition(world: BulkWorld): Promise<void> {
  const label = await world.importWorkflow('states: [{label: old}]');
  await world.experimentOf(label);
  const workflow_definition = `label: ${label}\nstates: [{label: new}]`;
  await server.call('importWorkflow', { body: { workflow_definition, state_map: { old: 'new' } } });
}

interface Entry {
  id: number;
  at: string;
  operation: string;
  object: { kind: string };
  after: Record<string, unknown> | null;
}

async function list(query: Record<string, string | number | boolean>, as?: string): Promise<Entry[]> {
  const parts = { query: { parts: false, limit: 1000, ...query }, ...(as !== undefined && { as }) };
  return (await server.call('listAudit', parts)).body.entries;
}

const isPartOfOperation = ({ object, after }: Entry) =>
  ['experiment', 'subject', 'note'].includes(object.kind) && (after?.['bulk_operation_id'] ?? after?.['import_id']);
const partsOf = (entries: readonly Entry[]) => entries.filter(isPartOfOperation).map(({ id }) => id);
const isPartOfBulk = ({ object, after }: Entry) => object.kind === 'experiment' && after?.['bulk_operation_id'];
const partsOfBulk = (entries: readonly Entry[]) => entries.filter(isPartOfBulk).length;
const withdrawals = (entries: readonly Entry[]) =>
  entries.filter(({ operation }) => operation === 'withdrawSubject').map(({ object }) => object.kind);

describe('the audit log without parts', () => {
  it('has one entry for a bulk operation and for a withdrawal', async () => {
    const entries = await list({});
    expect(partsOfBulk(entries)).toBe(0);
    expect(entries.map(({ operation }) => operation)).toContain('applyBulkOperation');
    expect(withdrawals(entries)).toEqual(['subject']);
  });

  it('has all changes of an experiment', async () => {
    const entries = await list({ experiment_id: cohort.ids[0] ?? 0 });
    expect(partsOfBulk(entries)).toBe(1);
    expect(withdrawals(entries)).toEqual(['experiment']);
  });

  it('has the bulk changes of a subject, and one entry for its withdrawal', async () => {
    const entries = await list({ subject_id: subject });
    expect(partsOfBulk(entries)).toBe(2);
    expect(withdrawals(entries)).toEqual(['subject']);
  });

  it('has the bulk changes for a user who can read some cohorts only, and no counts of days', async () => {
    expect(partsOfBulk(await list({}, auditor))).toBe(2);
    const query = { time_zone: 'UTC', by: 'people' };
    const { body } = await server.call('listAudit', { query, as: auditor });
    expect(body.entries.length).toBeGreaterThan(0);
    expect(body.days).toEqual([]);
  });

  it('has the bulk operation and the import by the person who applied them', async () => {
    for (const query of [{ by: 'people' }, { actor: 1 }]) {
      const entries = await list(query);
      expect(partsOf(entries)).toEqual([]);
      const operations = entries.map(({ operation }) => operation);
      expect(operations).toEqual(expect.arrayContaining(['applyBulkOperation', 'applyImport']));
    }
  });

  it('has the entry of another object that names an import', async () => {
    const [entry] = await server.sql<{
      id: string;
    }>(`insert into history (actor_kind, actor_id, operation, object_kind, object_id, after)
      values ('user', 1, 'updateCohort', 'cohort', ${cohort.id}, '{"import_id": 1}') returning id`);
    for (const query of [{}, { by: 'people' }, { actor: 1 }])
      expect((await list({ ...query, limit: 1 })).map(({ id }) => String(id))).toEqual([entry?.id]);
  });

  it('counts as many entries of each day as it has', async () => {
    const query = { by: 'people', parts: false, time_zone: 'UTC', limit: 1000 };
    const { body } = await server.call('listAudit', { query });
    const days = Map.groupBy(body.entries as Entry[], ({ at }) => at.slice(0, 10));
    expect(body.days).toMatchObject(
      [...days].map(([day, { length: count }]) => ({ day, entries: { count, is_exact: true } })),
    );
    expect(partsOf(await list({ by: 'people', parts: true }))).not.toEqual([]);
  });
});

describe('the audit log without parts, filtered so that it leaves out the operation', () => {
  it('has the bulk and imported changes of each kind', async () => {
    const kinds = new Set<string>();
    for (const kind of changeKinds) {
      const parts = partsOf(await list({ kind, parts: true }));
      if (parts.length > 0) kinds.add(kind);
      for (const query of [{}, { by: 'people' }, { actor: 1 }])
        expect(partsOf(await list({ ...query, kind }))).toEqual(parts);
    }
    expect([...kinds]).toEqual(['move', 'decision', 'correction', 'data']);
  });

  it('has the bulk and imported changes of each operation', async () => {
    const all = await list({ parts: true });
    const operations = new Set(all.filter(isPartOfOperation).map(({ operation }) => operation));
    expect(operations).toContain('placeExperiment');
    expect(operations).toContain('createSubject');
    for (const operation of operations) {
      const parts = partsOf(all.filter((entry) => entry.operation === operation));
      for (const query of [{}, { by: 'people' }, { actor: 1 }])
        expect(partsOf(await list({ ...query, operation }))).toEqual(parts);
    }
  });

  it('has the changes after or before the time of the operation', async () => {
    const all = (await list({ parts: true })).filter(({ operation }) => operation === 'placeExperiment');
    expect(all).toHaveLength(2);
    const times = all.map(({ at }) => Date.parse(at));
    const from = new Date(Math.min(...times)).toISOString();
    const to = new Date(Math.max(...times) + 1).toISOString();
    for (const query of [{ from }, { to }, { from, to }, { from, by: 'people' }]) {
      const found = await list(query);
      expect(partsOf(found.filter(({ operation }) => operation === 'placeExperiment'))).toEqual(partsOf(all));
    }
  });

  it.each(['withdrawSubject', 'importWorkflow'])(
    'has the experiments of %s with a filter by time, but not with a filter by its kind or operation',
    async (operation) => {
      const experiments = async (query: Record<string, string | boolean>) =>
        (await list(query)).filter((entry) => entry.operation === operation && entry.object.kind === 'experiment');
      const all = await experiments({ parts: true });
      expect(all.length).toBeGreaterThan(0);
      expect(await experiments({ operation })).toEqual([]);
      expect(await experiments({ kind: operation === 'importWorkflow' ? 'workflow' : 'decision' })).toEqual([]);
      expect(await experiments({ from: '2020-01-01T00:00:00Z' })).toEqual(all);
      expect(await experiments({ to: '2100-01-01T00:00:00Z' })).toEqual(all);
    },
  );

  it('is exported with the same entries', async () => {
    const query = { kind: 'correction', parts: 'false' };
    const headers = { authorization: basic('admin', testPassword), accept: 'application/x-ndjson' };
    const response = await fetch(`${server.baseUrl}/audit?${new URLSearchParams(query).toString()}`, { headers });
    const lines = (await response.text()).trimEnd().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as Entry);
    expect(partsOf(exported)).toEqual(partsOf(await list({ kind: 'correction', parts: true })));
    expect(partsOf(exported).length).toBeGreaterThan(0);
  });
});

describe('the audit log of a person without parts', () => {
  it('has earlier changes of the same person right after a large bulk operation', async () => {
    const id = await server.addUser('person', ['admin']);
    await server.sql(`insert into history (actor_kind, actor_id, operation, object_kind, object_id)
      select 'user', ${id}, 'updateUser', 'user', ${id} from generate_series(1, 3)`);
    await server.sql(`insert into history (actor_kind, actor_id, operation, object_kind, object_id, after)
      select 'user', ${id}, 'placeExperiment', 'experiment', ${cohort.ids[0]}, '{"bulk_operation_id": 1}'
      from generate_series(1, 700)`);
    for (const query of [{ by: 'people' }, { actor: id }]) {
      for (const more of [{}, { operation: 'updateUser' }]) {
        const entries = await list({ ...query, ...more, limit: 3 });
        expect(entries.map(({ operation }) => operation)).toEqual(['updateUser', 'updateUser', 'updateUser']);
      }
    }
  });
});
