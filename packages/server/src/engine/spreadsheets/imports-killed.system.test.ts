/** Imports of spreadsheets whose worker or server is killed: every line is imported once or not at all, and the results say which. */
import { basic } from '@milepost/api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { lockWrites, pauseAtLock, retryWhileUnavailable, type LockPoint } from '../../../testing/pause-at-lock.ts';
import { startServerProcess } from '../../../testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

let server: TestServer;
let world: ImportWorld;
let workers: WorkerProcess[] = [];
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  await server.call('createExternalSystem', { body: { system_name: 'XNAT', url: 'https://xnat.example.org/' } });
  await server.sql(`insert into scantypes (modality, protocol) values ('MR', 'T1')`);
});
afterAll(() => server.stop());

const startWorker = async () => {
  const settings = { DATABASE_URL: server.testDatabase.databaseUrl, MILEPOST_BULK_PER_SECOND: '100000' };
  const worker = await startWorkerProcess(settings);
  workers.push(worker);
  return worker;
};
beforeEach(startWorker);
async function killWorkers(): Promise<void> {
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
  workers = [];
}
afterEach(killWorkers);

async function replaceWorker(): Promise<void> {
  const [victim, ...others] = workers;
  await victim?.stop('SIGKILL');
  workers = others;
  await startWorker();
}

async function waitForStatus(id: number, status: string): Promise<void> {
  await expect.poll(async () => (await world.read(id)).status, { timeout: hangLimitMs, interval: 100 }).toBe(status);
}

/** All lines are new, except the last one, which repeats the one before it. */
const smallFile = [
  'subject,date_of_birth,experiment,scan_date,state,scans,XNAT,XNAT subject,var.v',
  'K-1,1950-01-01,e1,2025-01-01,,T1,X1,S1,1',
  'K-1,,e2,,review,T1,X2,,',
  'K-2,,e1,,,,,,',
  'K-2,,e1,,,,,,',
].join('\n');

/** What a killed import must leave: everything once, with one history entry and one event for each change. */
async function expectOnce(cohortId: number, id: number): Promise<void> {
  const [stored] = await server.sql(
    `with mine as (select id from subjects where cohort_id = $1 and label like 'K-%'),
       theirs as (select id from experiments where subject_id in (select id from mine))
     select (select count(*) from mine)::int as subjects, (select count(*) from theirs)::int as experiments,
       (select count(*) from actions where experiment_id in (select id from theirs))::int as actions,
       (select count(*) from scans where experiment_id in (select id from theirs))::int as scans,
       (select count(*) from external_experiment_links where experiment_id in (select id from theirs))::int as ids,
       (select count(*) from external_subject_links where subject_id in (select id from mine))::int as subject_ids,
       (select count(*) from experiment_variables where experiment_id in (select id from theirs))::int as variables,
       (select count(*) from callback_executions join actions on actions.id = action_id
         where experiment_id in (select id from theirs))::int as runs,
       (select coalesce(sum(experiments), 0) from (select experiments from state_counts where cohort_id = $1
         union all select experiments from state_count_deltas where cohort_id = $1) as counted)::int as counted`,
    [cohortId],
  );
  expect(stored).toEqual({
    subjects: 2,
    experiments: 3,
    actions: 3,
    scans: 2,
    ids: 2,
    subject_ids: 1,
    variables: 1,
    runs: 2,
    counted: 3,
  });
  const events = await server.sql<{ kind: string; count: number }>(
    `select kind, count(*)::int from events where data ->> 'import_id' = $1 group by kind order by kind`,
    [String(id)],
  );
  expect(Object.fromEntries(events.map(({ kind, count }) => [kind, count]))).toEqual({
    addExperimentExternalIds: 2,
    addSubjectExternalIds: 1,
    createExperiment: 3,
    createScan: 2,
    createSubject: 2,
    setExperimentVariable: 1,
  });
  expect(await world.read(id)).toMatchObject({ done: 3, faulty: 1, ready: 0, new_subjects: 2, new_experiments: 3 });
}

const addImport = async (cohortId: number): Promise<number> => (await world.upload(cohortId, smallFile)).body.id;

/** No worker continues with it before `makeDue`. */
const holdAs = (id: number, status: 'checking' | 'running') =>
  server.sql(
    `update imports set status = $2, next_at = 'infinity', new_subjects = 0, new_experiments = 0,
       ready = case when $2 = 'running' then ready else 0 end, faulty = case when $2 = 'running' then faulty else 0 end,
       cleared = $2 = 'running', column_faults = array_fill(0, array[10])
     where id = $1`,
    [id, status],
  );
const makeDue = (id: number) => server.sql('update imports set next_at = now() where id = $1', [id]);

/** Kills the worker as soon as it waits at the point. */
const killAt = (point: LockPoint, id: number) =>
  pauseAtLock(server.testDatabase.ownerUrl, point, { begin: () => makeDue(id), whenWaiting: replaceWorker });

const written = [
  'subjects',
  'experiments',
  'actions',
  'callback_executions',
  'state_count_deltas',
  'external_subject_links',
  'external_experiment_links',
  'scans',
  'experiment_variables',
  'history',
  'events',
  'import_lines',
];

describe('a worker that is killed', () => {
  it.each(['import_keys', 'import_faults', 'import_lines'])(
    'while it checks and writes to %s leaves a check that another worker completes',
    async (table) => {
      const id = await addImport(await world.cohort());
      await waitForStatus(id, 'checked');
      await holdAs(id, 'checking');
      await killAt({ lock: lockWrites(table) }, id);
      await waitForStatus(id, 'checked');
      expect(await world.read(id)).toMatchObject({ ready: 3, faulty: 1, new_subjects: 2, new_experiments: 3 });
      expect(await world.faults(id)).toEqual([
        [5, 'experiment', 'Same subject and experiment as line 4. Keep one of the two.'],
      ]);
    },
  );

  it.each([
    ...written.map((table) => [`writes to ${table}`, { lock: lockWrites(table) }] as const),
    ['commits', { lock: lockWrites('import_lines'), released: true }] as const,
  ])('while it imports and %s leaves nothing half done, and another worker continues', async (_when, point) => {
    const cohortId = await world.cohort();
    const id = await addImport(cohortId);
    await waitForStatus(id, 'checked');
    await holdAs(id, 'running');
    await killAt(point, id);
    await waitForStatus(id, 'finished');
    await expectOnce(cohortId, id);
  });
});

it('a server that is killed during an upload leaves an import that is never checked', async () => {
  // A worker that continues another import would wait for the same lock.
  await killWorkers();
  const cohortId = await world.cohort();
  const killed = await startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
  const upload = () =>
    fetch(`${killed.baseUrl}/imports?cohort_id=${cohortId}`, {
      method: 'POST',
      headers: { authorization: basic('admin', testPassword), 'content-type': 'text/csv' },
      body: smallFile,
    });
  const status = await pauseAtLock(
    server.testDatabase.ownerUrl,
    { lock: lockWrites('import_lines') },
    { begin: () => retryWhileUnavailable(upload), whenWaiting: () => killed.stop('SIGKILL') },
  );
  expect(status).toBe(0);
  await startWorker();
  const last = 'select status from imports where cohort_id = $1 order by id desc limit 1';
  expect(await server.sql(last, [cohortId])).toEqual([{ status: 'uploading' }]);
});
