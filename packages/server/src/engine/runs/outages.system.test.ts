/**
 * The database is away for longer than a lease while two workers run 40 programs. No program that is still running starts again,
 * and a worker that is killed during the outage is replaced.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openLink, type Link } from '../../../testing/counterparts/database-link.ts';
import { createLifeline, type Lifeline } from '../../../testing/counterparts/lifeline.ts';
import { createPrograms } from '../../../testing/counterparts/programs.ts';
import { createEngineWorld } from '../../../testing/engine-world.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

const each = 20;

let server: TestServer;
let lifeline: Lifeline;
let link: Link;
let workers: WorkerProcess[];
const programs = createPrograms();

const startWorker = () =>
  startWorkerProcess({
    DATABASE_URL: link.through(server.testDatabase.databaseUrl),
    MILEPOST_COMMANDS: [...programs.names].map(([name, path]) => `${name}=${path}`).join(','),
    MILEPOST_WORKER_SLOTS: String(each),
  });

beforeAll(async () => {
  lifeline = await createLifeline();
  programs.shell('long', lifeline.shell);
  server = await startTestServer();
  link = await openLink(Number(new URL(server.testDatabase.databaseUrl).port));
  workers = await Promise.all([startWorker(), startWorker()]);
  const world = createEngineWorld(server);
  const label = await world.importWorkflow(`states:
  - label: run
    callbacks: [{label: c, function: command, callback_arguments: {binary: long}}]
`);
  await Promise.all(Array.from({ length: 2 * each }, () => world.experimentOf(label)));
  await vi.waitUntil(() => lifeline.started() === 2 * each, { timeout: hangLimitMs });
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop('SIGKILL')));
  await link.stop();
  await lifeline.stop();
  await server.stop();
  programs.remove();
});

const running = () =>
  server.sql<{ worker: string; attempts: number }>(
    `select worker, count(*)::int as attempts from execution_attempts
     where attempt = 1 and ended_at is null group by worker order by worker`,
  );

const allOf = (...alive: readonly WorkerProcess[]) =>
  alive.map(({ name }) => ({ worker: name, attempts: each })).toSorted((a, b) => (a.worker < b.worker ? -1 : 1));

/** Waits until all running attempts have sent heartbeats that are 10 s apart, so every worker has looked for lost ones. */
async function untilRenewed(): Promise<void> {
  const [{ now } = { now: '' }] = await server.sql<{ now: string }>('select clock_timestamp()::text as now');
  const late = () =>
    server.sql(
      `select from execution_attempts
       where ended_at is null and heartbeat_at < $1::timestamptz + interval '10 seconds' limit 1`,
      [now],
    );
  await expect.poll(late, { interval: 500 }).toEqual([]);
}

/** Makes the outage longer without waiting: moves the times of all leases and contacts back. */
const lengthen = (seconds: number) =>
  server.sql(
    `with outage as (select $1 * interval '1 second' as length),
     beats as (
       update execution_attempts set started_at = started_at - outage.length, heartbeat_at = heartbeat_at - outage.length
       from outage where ended_at is null),
     gaps as (
       update contact_gaps set started_at = started_at - outage.length, ended_at = ended_at - outage.length from outage)
     update contact set at = at - outage.length from outage`,
    [seconds],
  );

it.for([
  { length: 25, waited: 25 },
  { length: 90, waited: 0 },
])('starts no running program again after an outage of $length s', async ({ length, waited }) => {
  link.inject('down');
  await sleep(waited * 1000);
  await lengthen(length - waited);
  link.restore();
  await untilRenewed();
  expect(await running()).toEqual(allOf(...workers));
  expect(lifeline.started()).toBe(2 * each);
});

it('replaces a worker that was killed during an outage, and no other worker', async () => {
  const [killed, survivor] = workers as [WorkerProcess, WorkerProcess];
  link.inject('down');
  killed.signal('SIGKILL');
  await lengthen(90);
  link.restore();
  workers.push(await startWorker());
  await vi.waitUntil(() => lifeline.started() === 3 * each, { timeout: hangLimitMs });
  const lost = await server.sql(`select distinct worker, error from execution_attempts where ended_at is not null`);
  expect(lost).toEqual([{ worker: killed.name, error: 'The worker stopped sending heartbeats.' }]);
  expect(await running()).toEqual(allOf(survivor));
});
