/**
 * Prints packages/server/schema.sql: what the migrations add up to, as pg_dump shows it.
 *   pg_virtualenv -v 15 node --conditions=source tools/print-schema.ts [--check]
 *
 * pg_dump must be as new as the server, and each version writes its own way, so both are PostgreSQL 15: the oldest we
 * support and the one of Debian 12. pg_virtualenv makes such a server for one command and says in PGHOST, PGPORT, PGUSER
 * and PGPASSWORD where it is; without it this tool calls itself through it.
 */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cloneDatabase, startTestPostgres } from '../packages/server/testing/test-server.ts';
import { printOrCheck } from './printed-file.ts';

const file = 'packages/server/schema.sql';
const command = 'pg_virtualenv -v 15 node --conditions=source tools/print-schema.ts';
/** The exit code of a check that could not be made, which is neither fresh nor stale. */
const notChecked = 2;

async function schemaText(databaseUrl: string): Promise<string> {
  // The tables of the queue are made by pg-boss, and are its own affair.
  const flags = ['--schema-only', '--no-owner', '--no-privileges', '--exclude-schema=pgboss'];
  const { stdout } = await promisify(execFile)('pg_dump', [...flags, databaseUrl]);
  return `-- Printed from the migrated database by: ${command}\n${withoutTraces(stdout)}`;
}

/** Leaves out what differs from run to run and from one minor release to the next. */
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
