/** `milepost dev --demo`: a study with simulated activity and incidents that continues at the next start. */
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { createClient, basic, type Client } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDevFolder,
  signalGroup,
  spawnDev,
  startDev,
  type DevFolder,
  type StartedDev,
} from '../../testing/dev-process.ts';
import { createTestDatabase } from '../../../server/testing/test-database.ts';
import { baseline } from '../../../server/src/demo/study.ts';

let folder: DevFolder;
let first: StartedDev;
let login: string;
/** Signed in as the coordinator. */
let client: Client;

const wordIn = (output: string, pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
const clientOf = (output: string) =>
  createClient({ baseUrl: `${wordIn(output, /running at (\S+)/)}/api/v2`, authorization: login });

beforeAll(async () => {
  folder = await createDevFolder();
  first = await startDev(folder.path, /Username: coordinator/, ['--demo']);
  login = basic('coordinator', wordIn(first.output, /coordinator {2}Password: (\S+)/));
  client = clientOf(first.output);
});
afterAll(() => folder.remove());

/** The first line that matches. Keeps reading, so that the process can go on writing. */
const lineIn = (stream: Readable, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream });
    lines.on('line', (line) => pattern.test(line) && resolve(line));
    lines.on('close', () => reject(new Error(`No line matches ${pattern}.`)));
  });

const labelsIn = async (state: string) =>
  (await client.listExperiments({ query: { state } })).experiments.map(({ label }) => label);

const soon = { interval: 500 };
/** Experiments that start in the initial state, unlike those loaded in a later state. */
const unprocessed = new Set(baseline.filter(({ state }) => state === undefined).map(({ label }) => label));

const countCompleted = async () => (await labelsIn('accepted')).filter((label) => unprocessed.has(label)).length;

/** Ignores rejected retries: the simulated reviewer may have retried the same experiment. */
async function retryIncidents(): Promise<number> {
  const { incidents } = await client.listIncidents({ query: { kind: 'failed' } });
  const tries = incidents.map(({ experiment: { id } }) =>
    client.retryExperiment({ params: { id }, body: { reason: 'Worth another try' } }).catch(() => undefined),
  );
  return (await Promise.all(tries)).flatMap((action) => action?.retry_of ?? []).length;
}

/** An external database in which a lock makes every change of a table that the demo needs take too long. */
async function startWithLateDatabase() {
  const { databaseUrl, ownerUrl, drop } = await createTestDatabase();
  const blocker = new pg.Client({ connectionString: ownerUrl });
  await blocker.connect();
  await blocker.query('begin; lock table scantypes in share mode');
  const settings = {
    DATABASE_URL: databaseUrl,
    MILEPOST_OWNER_DATABASE_URL: ownerUrl,
    MILEPOST_STATEMENT_SECONDS: '10',
    MILEPOST_ADMIN_PASSWORD: 'seven quiet lakes in autumn',
  };
  const child = spawnDev(folder.path, ['--demo', '--data', 'late'], { stderr: 'read', settings });
  return { child, unlock: () => blocker.query('commit'), end: () => blocker.end().then(drop) };
}

describe('the demo', () => {
  it('waits for a database that does not respond', async () => {
    const { child, unlock, end } = await startWithLateDatabase();
    const coordinator = lineIn(child.stdout, /Username: coordinator/);
    await lineIn(child.stderr, /The database is not responding/);
    expect(child.exitCode).toBeNull();
    await unlock();
    expect(await coordinator).toMatch(/Password: \S+/);
    expect(await signalGroup(child, 'SIGINT')).toBe(0);
    await end();
  });

  it('keeps its data apart from an installation without the demo', async () => {
    expect(await readdir(folder.path)).toContain('milepost-demo');
    expect(await readdir(folder.path)).not.toContain('milepost-data');
  });

  it('moves experiments through the workflow to the final state', async () => {
    await expect.poll(countCompleted, soon).toBeGreaterThan(0);
    const { states } = await client.listWorkflowStates({ params: { workflow_label: 'brain_mri' } });
    expect(states).toHaveLength(15);
    const counts = await Promise.all(states.map(async ({ label }) => (await labelsIn(label)).length));
    expect(counts.filter((count) => count > 0).length).toBeGreaterThanOrEqual(6);
  });

  it('has failed experiments that the coordinator can retry', async () => {
    await expect.poll(retryIncidents, soon).toBeGreaterThan(0);
  });

  it('prints no errors, stops on Ctrl-C, and continues at the next start', async () => {
    await expect.poll(async () => (await client.listSubjects()).subjects.length, soon).toBe(300);
    const before = (await client.listExperiments()).experiments.length;
    expect(await signalGroup(first.child, 'SIGINT')).toBe(0);
    expect(first.lines().filter((line) => !/^(Milepost|The|Created|Change|Worker|Sign) /.test(line))).toEqual([]);

    const second = await startDev(folder.path, /Username: coordinator/, ['--demo']);
    // It prints the same password again, but not the administrator's.
    expect(login).toBe(basic('coordinator', wordIn(second.output, /coordinator {2}Password: (\S+)/)));
    expect(second.output).not.toContain('Username: admin');
    client = clientOf(second.output);
    await expect.poll(async () => (await client.listExperiments()).experiments.length, soon).toBeGreaterThan(before);
    expect((await client.listSubjects()).subjects).toHaveLength(300);
    expect(await signalGroup(second.child, 'SIGINT')).toBe(0);
  });
});
