/** A worker loses two heartbeats in a row, while another worker stays in contact with the database. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openLink, type Link } from '../../testing/counterparts/database-link.ts';
import { createLifeline, type Lifeline } from '../../testing/counterparts/lifeline.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { createEngineWorld } from '../../testing/engine-world.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/processes/worker-process.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { hangLimitMs } from '../../testing/hang-limit.ts';

let server: TestServer;
let lifeline: Lifeline;
let link: Link;
let worker: WorkerProcess;
let other: WorkerProcess;
const programs = createPrograms();

const start = (databaseUrl: string) =>
  startWorkerProcess({
    DATABASE_URL: databaseUrl,
    MILEPOST_COMMANDS: `long=${programs.names.get('long')}`,
    MILEPOST_LOG_LEVEL: 'error',
  });

beforeAll(async () => {
  lifeline = await createLifeline();
  programs.shell('long', lifeline.shell);
  server = await startTestServer();
  const { databaseUrl } = server.testDatabase;
  link = await openLink(Number(new URL(databaseUrl).port));
  worker = await start(link.through(databaseUrl));
  const world = createEngineWorld(server);
  await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, function: command, callback_arguments: {binary: long}}]
`);
  await vi.waitUntil(() => lifeline.started() === 1, { timeout: hangLimitMs });
  other = await start(databaseUrl);
});

afterAll(async () => {
  await Promise.all([worker, other].map((one) => one.stop('SIGKILL')));
  await link.stop();
  await lifeline.stop();
  await server.stop();
  programs.remove();
});

const failures = () => worker.output().split('heartbeat failed').length - 1;

/** Depends on the speed of the machine, because a third heartbeat that comes too late is a lost worker. */
it('a run keeps its lease if two heartbeats get no response', { tags: ['nightly'] }, async () => {
  const [before] = await server.sql<{ at: Date }>('select heartbeat_at as at from execution_attempts');
  link.inject('dead');
  await expect.poll(failures, { interval: 50 }).toBe(2);
  link.restore();
  const renewed = () =>
    server.sql('select from execution_attempts where ended_at is null and heartbeat_at > $1', [before?.at]);
  await expect.poll(renewed).toHaveLength(1);
  expect(lifeline.started()).toBe(1);
});
