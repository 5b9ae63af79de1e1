/** A large spreadsheet, whose worker is killed while it is imported. All faults are found, and memory does not grow with the file. */
import { basic } from '@milepost/api';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { startServerProcess } from '../../../testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../testing/processes/worker-process.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

let server: TestServer;
let world: ImportWorld;
let worker: WorkerProcess;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  await server.call('createExternalSystem', { body: { system_name: 'XNAT', url: 'https://xnat.example.org/' } });
  await server.sql(`insert into scantypes (modality, protocol) values ('MR', 'T1')`);
});
afterAll(() => server.stop());

const startWorker = async () => {
  const settings = { DATABASE_URL: server.testDatabase.databaseUrl, MILEPOST_BULK_PER_SECOND: '100000' };
  worker = await startWorkerProcess(settings);
};
beforeEach(startWorker);
afterEach(() => worker.stop('SIGKILL'));

async function replaceWorker(): Promise<void> {
  await worker.stop('SIGKILL');
  await startWorker();
}

async function waitForStatus(id: number, status: string): Promise<void> {
  await expect.poll(async () => (await world.read(id)).status, { timeout: hangLimitMs, interval: 100 }).toBe(status);
}

/** In MB. */
async function memoryOf(pid: number): Promise<{ resident: number; peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024) / 1e6;
  return { resident: read('VmRSS'), peak: read('VmHWM') };
}

const faultyLines = 50;

/** Five lines for each subject. Some lines have one fault each, of five kinds. */
function largeFile(count: number): { csv: string; planted: [number, string, RegExp][] } {
  const planted: [number, string, RegExp][] = [];
  const lines = ['subject,experiment,scan_date,XNAT,scans,var.v'];
  const kinds: [string, (cells: string[]) => void, RegExp][] = [
    ['scan_date', (cells) => (cells[2] = '31.02.2025'), /^Not a date/],
    ['subject', (cells) => (cells[0] = ''), /^A subject label is required/],
    ['XNAT', (cells) => (cells[3] = 'X2'), /^Same ID as line 2/],
    ['scans', (cells) => (cells[4] = 'T9'), /^No scan type/],
    ['experiment', (cells) => (cells[1] = ''), /^An experiment label is required/],
  ];
  for (let line = 2; line <= count + 1; line++) {
    const cells = [`L-${Math.floor(line / 5)}`, `e${line % 5}`, '2025-01-01', `X${line}`, 'T1', String(line)];
    const kind = line > 2 && line % Math.floor(count / faultyLines) === 7 ? kinds[planted.length % 5] : undefined;
    if (kind && planted.length < faultyLines) {
      kind[1](cells);
      planted.push([line, kind[0], kind[2]]);
    }
    lines.push(cells.join(','));
  }
  return { csv: lines.join('\n'), planted };
}

/** Uploads by a server of its own, so that its memory is that of the upload. */
async function uploadLarge(cohortId: number, csv: string) {
  const own = await startServerProcess({ DATABASE_URL: server.testDatabase.databaseUrl });
  const before = (await memoryOf(own.pid)).resident;
  const query = `cohort_id=${cohortId}&workflow_id=${world.plainWorkflowId}`;
  const response = await fetch(`${own.baseUrl}/imports?${query}`, {
    method: 'POST',
    headers: { authorization: basic('admin', testPassword), 'content-type': 'text/csv' },
    body: csv,
  });
  const { id } = (await response.json()) as { id: number };
  const growth = (await memoryOf(own.pid)).peak - before;
  await own.stop();
  return { id, status: response.status, growth };
}

const countAll = async (cohortId: number) =>
  (
    await server.sql(
      `select (select count(*) from subjects where cohort_id = $1)::int as subjects,
         (select count(*) from experiments where cohort_id = $1)::int as experiments,
         (select count(*) from external_experiment_links where cohort_id = $1)::int as ids,
         (select count(*) from scans where cohort_id = $1)::int as scans,
         (select count(*) from history)::int - (select count(*) from history where object_kind = 'user')::int as history`,
      [cohortId],
    )
  )[0];

async function expectImportedOnce(count: number, kills: number): Promise<void> {
  const cohortId = await world.cohort();
  const { csv, planted } = largeFile(count);
  const before = (await memoryOf(worker.pid)).resident;
  const upload = await uploadLarge(cohortId, csv);
  expect(upload.status).toBe(201);
  await waitForStatus(upload.id, 'checked');
  const growth = (await memoryOf(worker.pid)).peak - before;
  const faults = await world.faults(upload.id);
  expect(faults).toEqual(planted.map(([line, column, detail]) => [line, column, expect.stringMatching(detail)]));
  expect(faults).toHaveLength(faultyLines);
  await server.call('applyImport', { params: { id: upload.id } });
  for (let kill = 1; kill <= kills; kill++) {
    const done = (count * kill) / (kills + 1);
    await expect
      .poll(async () => (await world.read(upload.id)).done, { timeout: hangLimitMs, interval: 20 })
      .toBeGreaterThan(done);
    await replaceWorker();
  }
  await waitForStatus(upload.id, 'finished');
  const correct = count - faultyLines;
  expect(await world.read(upload.id)).toMatchObject({ done: correct, faulty: faultyLines, new_experiments: correct });
  const after = await countAll(cohortId);
  expect(after).toMatchObject({ experiments: correct, ids: correct, scans: correct });
  const again = await uploadLarge(cohortId, csv);
  await waitForStatus(again.id, 'checked');
  expect(await world.read(again.id)).toMatchObject({ unchanged: correct, ready: 0, faulty: faultyLines });
  await server.call('applyImport', { params: { id: again.id } });
  await waitForStatus(again.id, 'finished');
  expect(await countAll(cohortId)).toEqual(after);
  expect(Math.max(upload.growth, growth)).toBeLessThan(150);
}

describe('a large file', () => {
  it('of 5,000 lines is imported once, although workers are killed, and again changes nothing', () =>
    expectImportedOnce(5000, 2));
  it('of 200,000 lines, too', { tags: ['nightly'] }, () => expectImportedOnce(200_000, 5));
});
