/** `milepost doctor` on a working installation, and on installations with one problem each. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../testing/processes/server-process.ts';
import { cloneDatabase, type TestDatabase } from '../../testing/postgres-server.ts';
import { startWorkerProcess } from '../../testing/processes/worker-process.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import { oldestNode } from '../version.ts';
import { examine, examineNode } from './examine.ts';
import { clockFinding } from './examine-database.ts';
import type { Finding } from './finding.ts';

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await cloneDatabase(inject('testServer'));
  server = await startServerProcess({ DATABASE_URL: database.databaseUrl });
});
afterAll(async () => {
  await server.stop();
});

async function collect(settings: Record<string, string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of examine({ MILEPOST_PORT: '0', ...settings })) findings.push(finding);
  return findings;
}

const collectHere = (settings: Record<string, string> = {}) =>
  collect({ DATABASE_URL: database.databaseUrl, MILEPOST_PUBLIC_URL: server.url, ...settings });

/** Lines such as `Node: ok`. */
const outcomes = (findings: Finding[]) => findings.map(({ check, outcome }) => `${check}: ${outcome}`);
const find = (findings: Finding[], check: string) => findings.find((finding) => finding.check === check);

const owner = async (sql: string) => {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

async function keyFile(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'milepost-doctor-')), 'key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
}

const allChecks = [
  'Node',
  'Settings',
  'Database',
  'Clock',
  'Migrations',
  'Role',
  'Search',
  'Queue',
  'Worker',
  'Checkpoints',
  'Public URL',
];

describe('examine', () => {
  it('passes all checks with a server and a worker', async () => {
    const MILEPOST_CHECKPOINT_KEY_FILE = await keyFile();
    const worker = await startWorkerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_CHECKPOINT_KEY_FILE });
    await expect.poll(async () => find(await collectHere(), 'Checkpoints')?.message).toMatch(/^last signed 20/);
    const findings = await collectHere();
    await worker.stop();
    expect(outcomes(findings)).toEqual(allChecks.map((check) => `${check}: ok`));
    expect(find(findings, 'Database')?.message).toMatch(/^PostgreSQL 1[5-8]/);
  });

  it('warns if no worker is connected', async () => {
    const notOk = async () => outcomes(await collectHere()).filter((line) => !line.endsWith(': ok'));
    // The connections of the previous worker close a moment after it stops.
    await expect.poll(notOk).toEqual(['Worker: warning']);
    expect(find(await collectHere(), 'Worker')?.remedy).toContain('milepost work');
  });

  it('fails if DATABASE_URL names the owner role, which can rewrite the history', async () => {
    const settings = { DATABASE_URL: database.ownerUrl };
    expect(find(await collectHere(settings), 'Role')).toMatchObject({ outcome: 'failed' });
    const allowed = await collectHere({ ...settings, MILEPOST_UNSAFE_DATABASE_ROLE: 'allow' });
    expect(find(allowed, 'Role')).toMatchObject({ outcome: 'warning' });
  });

  it('warns if words find only the beginning of labels, and says how to change that', async () => {
    await owner('drop index experiment_search_text_index');
    const search = find(await collectHere(), 'Search');
    expect(search).toMatchObject({ outcome: 'warning', remedy: 'Run `milepost migrate`.' });
    expect(search?.message).toContain('beginning of labels');
    await owner('drop extension pg_trgm');
    expect(find(await collectHere(), 'Search')?.remedy).toContain('create extension pg_trgm');
    await migrate({ ownerUrl: database.ownerUrl, appRole: database.appRole });
    expect(find(await collectHere(), 'Search')?.outcome).toBe('ok');
  });

  it('fails if the server at the public URL uses another database', async () => {
    const other = await cloneDatabase(inject('testServer'));
    const findings = await collectHere({ DATABASE_URL: other.databaseUrl });
    expect(find(findings, 'Public URL')).toMatchObject({
      outcome: 'failed',
      message: `${server.url} is another installation, with another database`,
    });
  });

  it('warns if the database has a migration from a newer version', async () => {
    await owner(`insert into migrations (number, name, sha256) values (9999, '9999_later', '')`);
    const findings = await collectHere();
    await owner('delete from migrations where number = 9999');
    const message = 'from a newer version: 9999_later';
    expect(find(findings, 'Migrations')).toMatchObject({ outcome: 'warning', message });
  });

  it('fails if the queue schema has another version', async () => {
    await owner('update pgboss.version set version = version - 1');
    const findings = await collectHere();
    await owner('update pgboss.version set version = version + 1');
    expect(find(findings, 'Queue')).toMatchObject({ outcome: 'failed', remedy: 'Run `milepost migrate`.' });
  });

  it('reports an unmigrated database, and skips the checks that depend on the tables', async () => {
    const empty = await cloneDatabase(inject('testServer'), { empty: true });
    const findings = await collectHere({ DATABASE_URL: empty.databaseUrl });
    expect(outcomes(findings)).toEqual([
      ...allChecks.slice(0, 4).map((check) => `${check}: ok`),
      'Migrations: failed',
      'Public URL: failed',
    ]);
  });

  it('names the invalid settings without revealing a secret', async () => {
    const findings = await collect({ DATABASE_URL: 'mysql://me:hush@localhost/x', MILEPOST_PROT: '1' });
    expect(outcomes(findings)).toEqual(['Node: ok', 'Settings: failed']);
    expect(findings[1]?.message).toContain('MILEPOST_PROT');
    expect(JSON.stringify(findings)).not.toContain('hush');
  });

  it('fails if the database does not respond, and still checks the public URL', async () => {
    const findings = await collectHere({ DATABASE_URL: 'postgresql://me:hush-hush-little-one@127.0.0.1:1/none' });
    expect(outcomes(findings)).toEqual(['Node: ok', 'Settings: ok', 'Database: failed', 'Public URL: ok']);
    expect(find(findings, 'Database')?.message).toContain('ECONNREFUSED');
    expect(JSON.stringify(findings)).not.toContain('hush');
  });
});

const publicUrlOf = async (MILEPOST_PUBLIC_URL: string) =>
  find(await collectHere({ MILEPOST_PUBLIC_URL }), 'Public URL');

describe('the check of the public URL', () => {
  it('warns if nothing listens at the URL', async () => {
    expect(await publicUrlOf('http://127.0.0.1:1')).toMatchObject({
      outcome: 'warning',
      message: expect.stringContaining('does not respond'),
    });
  });

  it.each([
    ['another program', '{}', 'failed', 'is not Milepost'],
    ['another version', '{"version":"9.9.9"}', 'warning', 'runs version 9.9.9'],
  ])('detects %s', async (_program, body, outcome, message) => {
    const other = createServer((_request, response) => response.end(body));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const found = await publicUrlOf(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    other.closeAllConnections();
    other.close();
    expect(found).toMatchObject({ outcome, message: expect.stringContaining(message) });
  });
});

const checkpointsOf = async (settings: Record<string, string> = {}) => find(await collectHere(settings), 'Checkpoints');

describe('the check of the checkpoints', () => {
  it('warns if there is neither a checkpoint nor a key, and names the setting for the key', async () => {
    const other = await cloneDatabase(inject('testServer'));
    const found = await checkpointsOf({ DATABASE_URL: other.databaseUrl });
    expect(found).toMatchObject({ outcome: 'warning', message: expect.stringContaining('none signed yet') });
    expect(found?.remedy).toContain('MILEPOST_CHECKPOINT_KEY_FILE');
    const withKey = { DATABASE_URL: other.databaseUrl, MILEPOST_CHECKPOINT_KEY_FILE: await keyFile() };
    expect(await checkpointsOf(withKey)).toMatchObject({ outcome: 'ok' });
  });

  it('warns if the history has not been signed for more than five minutes', async () => {
    await owner(
      `insert into history (actor_kind, operation, object_kind, object_id) values ('operator', 'x', 'cohort', 1)`,
    );
    expect(await checkpointsOf()).toMatchObject({ outcome: 'ok' });
    await owner(`update history set at = at - interval '7 minutes' where operation = 'x'`);
    expect(await checkpointsOf()).toMatchObject({
      outcome: 'warning',
      message: expect.stringMatching(/for \d+ minutes/),
    });
  });

  it.each([`up_to_xid = '999999999'`, `cluster = 'another', up_to_xid = pg_current_xact_id()`])(
    'warns about unsigned entries even if the last checkpoint is from another cluster (%s)',
    async (change) => {
      await owner(`update checkpoints set ${change}`);
      expect(await checkpointsOf()).toMatchObject({
        outcome: 'warning',
        message: expect.stringMatching(/for \d+ minutes/),
      });
    },
  );

  it('fails if the key file contains no key', async () => {
    const MILEPOST_CHECKPOINT_KEY_FILE = fileURLToPath(import.meta.url);
    expect(await checkpointsOf({ MILEPOST_CHECKPOINT_KEY_FILE })).toMatchObject({ outcome: 'failed' });
  });
});

it('closing a database ends its connections immediately', async () => {
  const opened = openDatabase({ ...readConfig({ DATABASE_URL: database.databaseUrl }), onError: () => undefined });
  await opened.pool.query('select 1');
  await opened.close();
  expect([opened.pool.ended, opened.pool.totalCount]).toEqual([true, 0]);
});

it('the doctor requires the same Node version as every package', async () => {
  const folders = ['', 'packages/milepost/', 'packages/server/'];
  const required = folders.map(async (folder) => {
    const manifest = await readFile(new URL(`../../../../${folder}package.json`, import.meta.url), 'utf8');
    return (JSON.parse(manifest) as { engines: { node: string } }).engines.node;
  });
  expect(await Promise.all(required)).toEqual(folders.map(() => `>=${oldestNode}`));
});

it.each([
  ['24.5.1', 'failed'],
  ['24.6.0', 'ok'],
  ['24.10.0', 'ok'],
  ['26.0.0', 'ok'],
])('examineNode returns $1 for Node $0', (version, outcome) => {
  expect(examineNode(version)).toMatchObject({ outcome });
});

it('examineNode fails for Node 22, and clockFinding warns if the clocks are 3 s apart', () => {
  expect(examineNode('22.12.0')).toMatchObject({ outcome: 'failed' });
  expect([clockFinding(-3000), clockFinding(1500)]).toMatchObject([{ outcome: 'warning' }, { outcome: 'ok' }]);
});
