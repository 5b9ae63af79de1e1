/** All programs reach a local PostgreSQL through its Unix socket, which saves the work of TCP. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sourceOf } from '../../testing/processes/program-process.ts';
import { startServerProcess } from '../../testing/processes/server-process.ts';
import { startWorkerProcess } from '../../testing/processes/worker-process.ts';
import { withClient } from '../../testing/test-database.ts';
import { examine } from '../doctor/examine.ts';
import { embeddedPostgres, type RunningPostgres } from './embedded-postgres.ts';

let folder: string;
let postgres: RunningPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-socket-'));
  // PostgreSQL can write to its data folder, whichever account it runs as.
  postgres = await embeddedPostgres({ folder, settings: { unix_socket_directories: join(folder, 'data') } });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The two ways to name the folder of the socket in a URL. The port is part of the socket's name. */
const socketUrls: [string, (url: URL, socketFolder: string) => string][] = [
  ['the parameter host', (url, socketFolder) => `${url.href}?host=${socketFolder}`],
  ['an encoded host', (url, socketFolder) => url.href.replace('127.0.0.1', encodeURIComponent(socketFolder))],
];

it.each(socketUrls)('server, worker, migrate and doctor use the socket that %s names', async (_way, toSocket) => {
  const superuser = new URL(postgres.url);
  const name = `installation_${socketUrls.findIndex(([, one]) => one === toSocket)}`;
  const as = (username: string) =>
    toSocket(Object.assign(new URL(superuser), { username, pathname: `/${name}` }), join(folder, 'data'));
  const settings = { DATABASE_URL: as(name), MILEPOST_OWNER_DATABASE_URL: as(superuser.username) };
  const role = `create role ${name} login password '${superuser.password}'`;
  await query(role);
  await query(`create database ${name} template template0`);

  const { file, flags } = sourceOf('migrate');
  await promisify(execFile)(process.execPath, [...flags, file], { env: { ...process.env, ...settings } });
  const server = await startServerProcess({ DATABASE_URL: settings.DATABASE_URL });
  const worker = await startWorkerProcess({ DATABASE_URL: settings.DATABASE_URL });
  const findings: Record<string, string> = {};
  for await (const { check, outcome } of examine({ ...settings, MILEPOST_PUBLIC_URL: server.url })) {
    findings[check] = outcome;
  }
  expect(findings).toMatchObject({ Settings: 'ok', Database: 'ok', Worker: 'ok' });
  const connections = () =>
    query(
      `select distinct application_name as program, client_addr is null and backend_type = 'client backend' as by_socket
       from pg_stat_activity where usename = '${name}' order by 1`,
    );
  await expect.poll(connections).toEqual([
    { program: 'milepost', by_socket: true },
    { program: 'milepost listen', by_socket: true },
    { program: 'milepost worker', by_socket: true },
  ]);
  await Promise.all([server.stop(), worker.stop()]);
});

const query = (text: string) =>
  withClient(postgres.url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
