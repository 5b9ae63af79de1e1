/**
 * A server that is killed (SIGKILL) in the middle of an import: the database then holds all of the revision or nothing of
 * it, and the same import succeeds on the next process. Three moments are told by the clock, as most of the time goes into
 * reading the file; the others by what the import is about to write, so that every step of the transaction is cut.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedLargeWorkflow, largeWorkflow } from '../../testing/large-workflow.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';

const password = 'correct horse battery staple';
let database: TestDatabase;
let server: ServerProcess;
/** What one import takes here. */
let importMs: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await startServer();
  const start = performance.now();
  await post(largeWorkflow('first'));
  importMs = performance.now() - start;
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function startServer(): Promise<void> {
  server = await startServerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password });
}

async function post(workflow_definition: string): Promise<{ outcome?: string }> {
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const body = JSON.stringify({ workflow_definition });
  const response = await fetch(`${server.baseUrl}/service/config/import-workflow`, { method: 'POST', headers, body });
  return (await response.json()) as { outcome?: string };
}

const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  withClient(database.ownerUrl, async (client) => (await client.query<T>(text, values)).rows);

type Counts = Record<string, number>;

const count = async (): Promise<Counts> => {
  const [row] = await sql<Counts>(
    `select (select count(*)::int from workflows) as workflows, (select sum(revision)::int from workflows) as revision,
       (select count(*)::int from workflow_revisions) as revisions, (select count(*)::int from states) as states,
       (select count(*)::int from callbacks) as callbacks, (select sum(current_version)::int from callbacks) as version,
       (select count(*)::int from callback_versions) as versions, (select count(*)::int from transitions) as transitions,
       (select count(*)::int from transitions where condition like '%''v3''%== 4') as changed_transitions,
       (select count(*)::int from history where object_kind = 'workflow') as history,
       (select count(*)::int from events where object_kind = 'workflow') as events`,
  );
  return row ?? {};
};

const difference = (after: Counts, before: Counts): Counts =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

const nothing = {
  workflows: 0,
  revision: 0,
  revisions: 0,
  states: 0,
  callbacks: 0,
  version: 0,
  versions: 0,
  transitions: 0,
  changed_transitions: 0,
  history: 0,
  events: 0,
};
const recorded = { ...nothing, revision: 1, revisions: 1, version: 200, versions: 200, history: 1, events: 1 };
const imports = {
  // One transition more than the file says is the way in.
  new: { file: largeWorkflow, whole: { ...recorded, workflows: 1, states: 200, callbacks: 200, transitions: 2001 } },
  changed: { file: changedLargeWorkflow, whole: { ...recorded, changed_transitions: 200 } },
};

const sessions = () =>
  sql('select from pg_stat_activity where datname = current_database() and usename = $1', [database.appRole]);
const waiting = () =>
  sql('select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()');
const patience = { interval: 20, timeout: 20_000 };

type Moment = { after: number } | { before: string } | { released: string };

/** Lets nobody write into the table, and calls back when the import has come to it. */
const whereItWrites = (table: string, arrived: () => Promise<unknown>): Promise<void> =>
  withClient(database.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query(`lock table ${table} in share mode`);
    await expect.poll(async () => (await waiting()).length, patience).toBe(1);
    await arrived();
    await client.query('commit');
  });

const kill = () => server.stop('SIGKILL');

async function killAt(moment: Moment): Promise<void> {
  if ('after' in moment) await sleep(importMs * moment.after).then(kill);
  else if ('before' in moment) await whereItWrites(moment.before, kill);
  else await whereItWrites(moment.released, async () => undefined).then(kill);
  // PostgreSQL has then undone or completed what the process had begun.
  await expect.poll(async () => (await sessions()).length, patience).toBe(0);
}

const moments: [kind: keyof typeof imports, label: string, moment: Moment][] = [
  ['new', 'one', { after: 0.25 }],
  ['changed', 'one', { after: 0.5 }],
  ['new', 'two', { before: 'states' }],
  ['changed', 'two', { before: 'callback_versions' }],
  ['new', 'three', { before: 'callbacks' }],
  ['changed', 'three', { before: 'transitions' }],
  ['new', 'four', { before: 'workflow_revisions' }],
  ['changed', 'four', { before: 'history' }],
  ['new', 'five', { after: 0.85 }],
  // The last that an import writes: it goes on to its commit while the signal comes.
  ['changed', 'five', { released: 'events' }],
];

describe('the server is killed during an import of 200 states and 2,000 transitions', () => {
  it.each(moments)(
    '%s %s %j: all of the revision is there or nothing, and a repeat succeeds (V2.3.3)',
    async (kind, label, moment) => {
      const { file, whole } = imports[kind];
      const before = await count();
      const answer = post(file(label)).catch(() => undefined);
      await killAt(moment);
      const left = difference(await count(), before);
      const isWhole = left['history'] === 1;
      expect(left).toEqual(isWhole ? whole : nothing);
      // What was answered is there; what could not write all it had to is not.
      if ((await answer)?.outcome) expect(isWhole).toBe(true);
      if ('before' in moment) expect(isWhole).toBe(false);

      await startServer();
      expect(await post(file(label))).toMatchObject({ outcome: isWhole ? 'identical' : kind });
      expect(difference(await count(), before)).toEqual(whole);
    },
    // A start and two imports: 4 s on a free machine, four times that on one that runs other tests beside.
    60_000,
  );
});
