/** `milepost doctor` on installations that are fit, and on such that each lack something. */
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
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import { cloneDatabase, type TestDatabase } from '../../testing/test-server.ts';
import { startWorkerProcess } from '../../testing/worker-process.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
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

async function look(settings: Record<string, string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of examine({ MILEPOST_PORT: '0', ...settings })) findings.push(finding);
  return findings;
}

const lookHere = (settings: Record<string, string> = {}) =>
  look({ DATABASE_URL: database.databaseUrl, MILEPOST_PUBLIC_URL: server.url, ...settings });

/** `Node: ok`, and so on. */
const outcomes = (findings: Finding[]) => findings.map(({ what, outcome }) => `${what}: ${outcome}`);
const find = (findings: Finding[], what: string) => findings.find((finding) => finding.what === what);

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

const fit = [
  'Node',
  'Settings',
  'Database',
  'Clock',
  'Migrations',
  'Role',
  'Queue',
  'Worker',
  'Checkpoints',
  'Address',
];

describe('an installation', () => {
  it('with a server and a worker is fit', async () => {
    const MILEPOST_CHECKPOINT_KEY_FILE = await keyFile();
    const worker = await startWorkerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_CHECKPOINT_KEY_FILE });
    await expect.poll(async () => find(await lookHere(), 'Checkpoints')?.says).toMatch(/^the last of 20/);
    const findings = await lookHere();
    await worker.stop();
    expect(outcomes(findings)).toEqual(fit.map((what) => `${what}: ok`));
    expect(find(findings, 'Database')?.says).toMatch(/^PostgreSQL 1[5-8]/);
  });

  it('without a worker is warned that callbacks wait', async () => {
    const notOk = async () => outcomes(await lookHere()).filter((line) => !line.endsWith(': ok'));
    // The connections of the worker before end a moment after it.
    await expect.poll(notOk).toEqual(['Worker: warning']);
    expect(find(await lookHere(), 'Worker')?.remedy).toContain('milepost work');
  });

  it('that signs in as the owner fails, as that role could rewrite the history', async () => {
    const settings = { DATABASE_URL: database.ownerUrl };
    expect(find(await lookHere(settings), 'Role')).toMatchObject({ outcome: 'failed' });
    const allowed = await lookHere({ ...settings, MILEPOST_UNSAFE_DATABASE_ROLE: 'allow' });
    expect(find(allowed, 'Role')).toMatchObject({ outcome: 'warning' });
  });

  it('whose database has a migration of a newer release is warned', async () => {
    await owner(`insert into migrations (number, name, sha256) values (9999, '9999_later', '')`);
    const findings = await lookHere();
    await owner('delete from migrations where number = 9999');
    expect(find(findings, 'Migrations')).toMatchObject({ outcome: 'warning', says: 'of a newer release: 9999_later' });
  });

  it('whose queue is of another version fails', async () => {
    await owner('update pgboss.version set version = version - 1');
    const findings = await lookHere();
    await owner('update pgboss.version set version = version + 1');
    expect(find(findings, 'Queue')).toMatchObject({ outcome: 'failed', remedy: 'Run `milepost migrate`.' });
  });

  it('that was never migrated is told so, and nothing that follows from it', async () => {
    const empty = await cloneDatabase(inject('testServer'), { empty: true });
    const findings = await lookHere({ DATABASE_URL: empty.databaseUrl });
    expect(outcomes(findings)).toEqual([
      ...fit.slice(0, 4).map((what) => `${what}: ok`),
      'Migrations: failed',
      'Address: ok',
    ]);
  });

  it('without settings is told which are wrong, and no secret', async () => {
    const findings = await look({ DATABASE_URL: 'mysql://me:hush@localhost/x', MILEPOST_PROT: '1' });
    expect(outcomes(findings)).toEqual(['Node: ok', 'Settings: failed']);
    expect(findings[1]?.says).toContain('MILEPOST_PROT');
    expect(JSON.stringify(findings)).not.toContain('hush');
  });

  it('whose database does not answer fails at once, and the address is still asked', async () => {
    const findings = await lookHere({ DATABASE_URL: 'postgresql://me:hush-hush-little-one@127.0.0.1:1/none' });
    expect(outcomes(findings)).toEqual(['Node: ok', 'Settings: ok', 'Database: failed', 'Address: ok']);
    expect(find(findings, 'Database')?.says).toContain('ECONNREFUSED');
    expect(JSON.stringify(findings)).not.toContain('hush');
  });
});

const addressOf = async (MILEPOST_PUBLIC_URL: string) => find(await lookHere({ MILEPOST_PUBLIC_URL }), 'Address');

describe('the address', () => {
  it('where nobody listens is a warning', async () => {
    expect(await addressOf('http://127.0.0.1:1')).toMatchObject({
      outcome: 'warning',
      says: expect.stringContaining('does not answer'),
    });
  });

  it.each([
    ['another program', '{}', 'failed', 'is not Milepost'],
    ['another release', '{"version":"9.9.9"}', 'warning', 'is release 9.9.9'],
  ])('where %s answers is told', async (_who, body, outcome, says) => {
    const other = createServer((_request, response) => response.end(body));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const found = await addressOf(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    other.closeAllConnections();
    other.close();
    expect(found).toMatchObject({ outcome, says: expect.stringContaining(says) });
  });
});

const lookAtCheckpoints = async (settings: Record<string, string> = {}) =>
  find(await lookHere(settings), 'Checkpoints');

describe('checkpoints', () => {
  it('that nobody makes are a warning that says how to begin', async () => {
    const other = await cloneDatabase(inject('testServer'));
    const found = await lookAtCheckpoints({ DATABASE_URL: other.databaseUrl });
    expect(found).toMatchObject({ outcome: 'warning', says: expect.stringContaining('none was ever signed') });
    expect(found?.remedy).toContain('MILEPOST_CHECKPOINT_KEY_FILE');
    const withKey = { DATABASE_URL: other.databaseUrl, MILEPOST_CHECKPOINT_KEY_FILE: await keyFile() };
    expect(await lookAtCheckpoints(withKey)).toMatchObject({ outcome: 'ok' });
  });

  it('that stopped while the history went on are a warning', async () => {
    await owner(
      `insert into history (actor_kind, operation, object_kind, object_id) values ('operator', 'x', 'cohort', 1)`,
    );
    expect(await lookAtCheckpoints()).toMatchObject({ outcome: 'ok' });
    await owner(`update history set at = at - interval '7 minutes' where operation = 'x'`);
    expect(await lookAtCheckpoints()).toMatchObject({
      outcome: 'warning',
      says: expect.stringMatching(/since \d+ minutes/),
    });
  });

  it.each([`up_to_xid = '999999999'`, `cluster = 'another', up_to_xid = pg_current_xact_id()`])(
    'of another cluster do not hide what was written since: %s',
    async (change) => {
      await owner(`update checkpoints set ${change}`);
      expect(await lookAtCheckpoints()).toMatchObject({
        outcome: 'warning',
        says: expect.stringMatching(/since \d+ minutes/),
      });
    },
  );

  it('with a key that is none fail', async () => {
    const MILEPOST_CHECKPOINT_KEY_FILE = fileURLToPath(import.meta.url);
    expect(await lookAtCheckpoints({ MILEPOST_CHECKPOINT_KEY_FILE })).toMatchObject({ outcome: 'failed' });
  });
});

it('a look at a database ends its connections at once', async () => {
  const opened = openDatabase({ ...readConfig({ DATABASE_URL: database.databaseUrl }), onError: () => undefined });
  await opened.pool.query('select 1');
  await opened.close();
  expect([opened.pool.ended, opened.pool.totalCount]).toEqual([true, 0]);
});

it('every package asks for the same Node', async () => {
  const folders = ['', 'packages/milepost/', 'packages/server/'];
  const asked = folders.map(async (folder) => {
    const manifest = await readFile(new URL(`../../../../${folder}package.json`, import.meta.url), 'utf8');
    return (JSON.parse(manifest) as { engines: { node: string } }).engines.node;
  });
  expect(await Promise.all(asked)).toEqual(folders.map(() => `>=${oldestNode}`));
});

it.each([
  ['24.5.1', 'failed'],
  ['24.6.0', 'ok'],
  ['24.10.0', 'ok'],
  ['26.0.0', 'ok'],
])('Node %s: %s', (version, outcome) => {
  expect(examineNode(version)).toMatchObject({ outcome });
});

it('Node 22 is too old, and clocks that are 3 s apart are a warning', () => {
  expect(examineNode('22.12.0')).toMatchObject({ outcome: 'failed' });
  expect([clockFinding(-3000), clockFinding(1500)]).toMatchObject([{ outcome: 'warning' }, { outcome: 'ok' }]);
});
