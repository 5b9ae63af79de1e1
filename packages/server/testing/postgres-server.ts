/**
 * PostgreSQL for tests and tools: the server at MILEPOST_TEST_DATABASE_URL (as a superuser), or an embedded one that runs as long
 * as the tests. It has two roles and a migrated template database that is cloned.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { embeddedPostgres, isAlive, type RunningPostgres } from '../src/database/embedded-postgres.ts';
import { migrate } from '../src/database/migrate.ts';

export interface TestServer {
  superuserUrl: string;
  /** Part of the name of every role and database of this test run. */
  run: string;
  ownerRole: string;
  appRole: string;
  password: string;
  template: string;
}

export interface TestDatabase {
  /** With the application's role, for the tested code. */
  databaseUrl: string;
  /** With the role that owns the tables and migrates. */
  ownerUrl: string;
  superuserUrl: string;
  ownerRole: string;
  appRole: string;
  drop: () => Promise<void>;
}

export interface CloneOptions {
  /** Without tables. */
  empty?: boolean;
  rows?: Rows;
}

/** Rows that several test files need. The first file inserts them, the others get a copy. */
export interface Rows {
  name: string;
  insert: (owner: Client) => Promise<unknown>;
}

export async function startTestPostgres(
  givenUrl = process.env['MILEPOST_TEST_DATABASE_URL'],
): Promise<{ server: TestServer; end: () => Promise<void> }> {
  const embedded = givenUrl ? undefined : await temporaryPostgres();
  const run = randomBytes(4).toString('hex');
  const server: TestServer = {
    superuserUrl: embedded?.url ?? givenUrl ?? '',
    run,
    ownerRole: `owner_${run}`,
    appRole: `app_${run}`,
    password: randomBytes(18).toString('base64url'),
    template: `template_${run}`,
  };
  const end = () => (embedded ? embedded.stop() : dropAll(server));
  try {
    await createTemplate(server);
  } catch (error) {
    await end();
    throw error;
  }
  return { server, end };
}

export async function cloneDatabase(server: TestServer, options: CloneOptions = {}): Promise<TestDatabase> {
  const name = `test_${server.run}_${randomBytes(4).toString('hex')}`;
  const template = options.empty ? undefined : await templateWith(server, options.rows);
  await withClient(server.superuserUrl, (client) => createDatabase(client, server, name, template));
  return {
    ...urlsOf(server, name),
    ownerRole: server.ownerRole,
    appRole: server.appRole,
    drop: () => withClient(server.superuserUrl, (client) => dropDatabase(client, name)),
  };
}

async function templateWith(server: TestServer, rows: Rows | undefined): Promise<string> {
  if (!rows) return server.template;
  const name = `${server.template}_${rows.name}`;
  await withClient(server.superuserUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    const filling = `${name}_filling`;
    await createDatabase(client, server, filling, server.template);
    await withClient(urlsOf(server, filling).ownerUrl, rows.insert);
    await client.query(`alter database ${filling} rename to ${name}`);
  });
  return name;
}

/** Opens a connection for as long as the function runs. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function createTemplate(server: TestServer): Promise<void> {
  await withClient(server.superuserUrl, async (client) => {
    await client.query(`create role ${server.ownerRole} login password '${server.password}'`);
    await client.query(`create role ${server.appRole} login password '${server.password}'`);
    await createDatabase(client, server, server.template);
  });
  await migrate({ ownerUrl: urlsOf(server, server.template).ownerUrl, appRole: server.appRole });
}

async function createDatabase(client: Client, server: TestServer, name: string, template?: string): Promise<void> {
  const source = template ?? `template0 encoding 'UTF8' locale 'C'`;
  await client.query(`create database ${name} owner ${server.ownerRole} template ${source}`);
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
}

/** Leaves nothing on a shared server, even if test files failed before they dropped their databases. */
async function dropAll(server: TestServer): Promise<void> {
  await withClient(server.superuserUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname ~ $1', [
      `^(test|template)_${server.run}`,
    ]);
    for (const { datname } of rows) await dropDatabase(client, datname);
    await client.query(`drop role if exists ${server.ownerRole}, ${server.appRole}`);
  });
}

export function urlsOf(server: TestServer, database: string) {
  const url = (user?: string) => {
    const address = new URL(server.superuserUrl);
    address.pathname = `/${database}`;
    if (user) Object.assign(address, { username: user, password: server.password });
    return address.href;
  };
  return { databaseUrl: url(server.appRole), ownerUrl: url(server.ownerRole), superuserUrl: url() };
}

/** Test data does not have to survive a crash, so nothing waits for the disk. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
const prefix = 'milepost-test-postgres-';

async function temporaryPostgres(): Promise<RunningPostgres> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const server = await embeddedPostgres({ folder, settings });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return server;
}

/** A killed test run leaves its server behind. PostgreSQL stops within a minute after its folder is removed. */
async function removeLeftovers(): Promise<void> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  const abandoned = folders.filter((name) => !isAlive(Number(name.slice(prefix.length).split('-')[0])));
  // Folders of other accounts cannot be removed and stay.
  await Promise.allSettled(abandoned.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
}
