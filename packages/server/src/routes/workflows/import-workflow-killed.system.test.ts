/**
 * Kills the server (SIGKILL) during an import. The database then has the complete revision or nothing of it, and the same
 * import succeeds on a new process. A lock holds the import at each step until the kill.
 */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseAtLock, lockWrites, type LockPoint } from '../../../testing/pause-at-lock.ts';
import { changedLargeWorkflow, largeWorkflow } from '../../../testing/rows/large-workflow.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../../testing/processes/server-process.ts';

const states = 20;
const password = 'correct horse battery staple';
let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  await startServer();
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function startServer(): Promise<void> {
  server = await startServerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password });
}

interface Answer {
  outcome?: string;
  code?: string;
}

/** Repeats the request while the server times out waiting for the lock. */
async function post(workflow_definition: string): Promise<Answer> {
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const body = JSON.stringify({ workflow_definition });
  for (;;) {
    const response = await fetch(`${server.baseUrl}/service/config/import-workflow`, { method: 'POST', headers, body });
    const answer = (await response.json()) as Answer;
    if (answer.code !== 'busy') return answer;
  }
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

const unchanged = {
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
const recorded = { ...unchanged, revision: 1, revisions: 1, version: states, versions: states, history: 1, events: 1 };
const imports = {
  // The transition into the initial state is not in the file.
  new: {
    file: largeWorkflow,
    whole: { ...recorded, workflows: 1, states, callbacks: states, transitions: 10 * states + 1 },
  },
  changed: { file: changedLargeWorkflow, whole: { ...recorded, changed_transitions: states } },
};

const sessions = () =>
  sql('select from pg_stat_activity where datname = current_database() and usename = $1', [database.appRole]);

/** Authentication reads the account before the body is read and parsed. */
const lockAccounts = 'lock table users in access exclusive mode';
const beforeWriting = (table: string): LockPoint => ({ lock: lockWrites(table) });

const moments: [kind: keyof typeof imports, label: string, when: string, step: LockPoint][] = [
  ['new', 'one', 'reading the file', { lock: lockAccounts, released: true }],
  ['changed', 'one', 'writing callback versions', beforeWriting('callback_versions')],
  ['new', 'two', 'writing states', beforeWriting('states')],
  ['changed', 'two', 'writing transitions', beforeWriting('transitions')],
  ['new', 'three', 'writing the history', beforeWriting('history')],
  // An import writes events last.
  ['changed', 'three', 'committing', { lock: lockWrites('events'), released: true }],
];

describe(`an import with ${states} states`, () => {
  it.each(moments)(
    'of a %s workflow (%s) saves everything or nothing if the server is killed while %s, and succeeds when repeated (V2.3.3)',
    async (kind, label, _when, step) => {
      const { file, whole } = imports[kind];
      const countsBefore = await count();
      const answer = await pauseAtLock(database.ownerUrl, step, {
        begin: () => post(file(label, states)).catch(() => undefined),
        whenWaiting: () => server.stop('SIGKILL'),
      });
      // Without sessions, PostgreSQL has rolled back or committed the transaction.
      await expect.poll(async () => (await sessions()).length, { interval: 20 }).toBe(0);
      const left = difference(await count(), countsBefore);
      const isWhole = left['history'] === 1;
      expect(left).toEqual(isWhole ? whole : unchanged);
      // An import that returned a result is committed, and one that was held before its last write is not.
      if (answer?.outcome) expect(isWhole).toBe(true);
      if (!step.released) expect(isWhole).toBe(false);

      await startServer();
      expect(await post(file(label, states))).toMatchObject({ outcome: isWhole ? 'identical' : kind });
      expect(difference(await count(), countsBefore)).toEqual(whole);
    },
  );
});
