/**
 * Prints packages/server/schema.sql: the schema after all migrations, as pg_dump formats it.
 *   pg_virtualenv -v 15 node --conditions=source tools/print-schema.ts [--check]
 *
 * Each version of pg_dump formats differently, so server and pg_dump are PostgreSQL 15, the oldest supported version.
 * pg_virtualenv starts a server for one command and passes it in PGHOST, PGPORT, PGUSER and PGPASSWORD. Without these the tool
 * runs itself through pg_virtualenv.
 */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cloneDatabase, startTestPostgres } from '../packages/server/testing/postgres-server.ts';
import { printOrCheck } from './printed-file.ts';

const file = 'packages/server/schema.sql';
const command = 'pg_virtualenv -v 15 node --conditions=source tools/print-schema.ts';
/** The exit code if the check could not run. */
const notChecked = 2;

async function schemaText(databaseUrl: string): Promise<string> {
  // pg-boss creates and owns the tables of the queue.
  const flags = ['--schema-only', '--no-owner', '--no-privileges', '--exclude-schema=pgboss'];
  const { stdout } = await promisify(execFile)('pg_dump', [...flags, databaseUrl]);
  return `-- Printed from the migrated database by: ${command}\n${withoutTraces(stdout)}`;
}

/** Removes the lines that differ between runs and minor releases. */
function withoutTraces(dump: string): string {
  const kept = dump.split('\n').filter((line) => !/^(-- Dumped (from|by)|\\(un)?restrict)/.test(line));
  return `${kept
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function serverUrl(): string {
  const { PGHOST = 'localhost', PGPORT = '', PGUSER = '', PGPASSWORD = '' } = process.env;
  const url = new URL(`postgresql://localhost/postgres`);
  return Object.assign(url, { hostname: PGHOST, port: PGPORT, username: PGUSER, password: PGPASSWORD }).href;
}

async function print(): Promise<void> {
  const { server, end } = await startTestPostgres(serverUrl());
  try {
    const { ownerUrl } = await cloneDatabase(server);
    await printOrCheck({ file, text: await schemaText(ownerUrl), command });
  } finally {
    await end();
  }
}

function printInVirtualenv(): void {
  const again = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const { status, error } = spawnSync('pg_virtualenv', ['-v', '15', ...again], { stdio: 'inherit' });
  if (error) {
    console.error(
      `${file} was not checked: it takes PostgreSQL 15 with pg_virtualenv (Debian: apt install postgresql-15).`,
    );
    process.exitCode = notChecked;
  } else process.exitCode = status ?? 1;
}

if (process.env['PGPORT']) await print();
else printInVirtualenv();
