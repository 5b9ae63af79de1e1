/**
 * Migrates a database to the schema of this build. Each file migrations/NNNN_name.sql runs once, in order, in one
 * transaction, and is recorded with its hash. Migrations cannot be reverted. A file that begins with
 * `-- Outside a transaction` creates or drops indexes of large tables without blocking writes: its statements run one by one,
 * and all of them run again if one failed. Several processes can start at once: an advisory lock lets one of them migrate,
 * and the others then find nothing to do.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { installQueues } from './queue-schema.ts';
import { installSearch } from './search-text.ts';

export interface MigrateOptions {
  /** Connects as the role that owns the tables. Must not use a transaction pooler, which loses the advisory lock. */
  ownerUrl: string;
  /** The role that serves requests. Gets no grants if it is the owner. */
  appRole: string;
  folder?: string;
}

/** Runs a statement on a pool, a client or a Kysely connection. */
export type RunQuery = (sql: string) => Promise<{ rows: Record<string, unknown>[] }>;

interface Migration {
  number: number;
  name: string;
  sha256: string;
  sql: string;
}

interface Applied {
  number: number;
  name: string;
  sha256: string;
}

/** The queues that always exist. An import creates the others that its callbacks need. */
const queues = ['callbacks'];

export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** The advisory lock of all migrating processes: "milepost" in ASCII. */
const lockKey = '0x6d696c65706f7374';

export async function migrate({
  ownerUrl,
  appRole,
  folder = migrationsFolder,
}: MigrateOptions): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const grants = await readFile(`${folder}/grants.sql`, 'utf8');
  const client = new Client({ connectionString: ownerUrl, application_name: 'milepost migrate' });
  await client.connect();
  try {
    await acquireLock(client);
    const pending = findPending(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    await installQueues(client, queues);
    await installSearch(client);
    await grant(client, grants, appRole);
    return { applied: pending.map((migration) => migration.name) };
  } finally {
    // Closing the connection also releases the advisory lock.
    await client.end();
  }
}

/** The names of the migrations of this build that the database does not have. Works with the application role. */
export async function pendingMigrations(query: RunQuery, folder = migrationsFolder): Promise<string[]> {
  const names = await migrationNames(folder);
  const found = await query(`select to_regclass('public.migrations') is not null as ready`);
  if (found.rows[0]?.['ready'] !== true) return names;
  const applied = await query('select name from public.migrations');
  const done = new Set(applied.rows.map((row) => row['name']));
  return names.filter((name) => !done.has(name));
}

/** The names of migrations from a newer release. Works with the application role, on a migrated database. */
export async function unknownMigrations(query: RunQuery, folder = migrationsFolder): Promise<string[]> {
  const known = new Set(await migrationNames(folder));
  const { rows } = await query('select name from public.migrations order by number');
  return rows.map((row) => String(row['name'])).filter((name) => !known.has(name));
}

/** Whether the connected role could change or delete history. A server must not run with such a role. */
export async function canRewriteHistory(query: RunQuery): Promise<boolean> {
  const { rows } = await query(`
    select bool_or(pg_has_role(relowner, 'member') or has_table_privilege(oid, 'update, delete, truncate')) as could
    from pg_class where relnamespace = 'public'::regnamespace
      and relname in ('history', 'history_values', 'personal_keys', 'checkpoints', 'erasures')`);
  return rows[0]?.['could'] !== false;
}

async function migrationNames(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await migrationNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}.sql`, 'utf8');
      // A checkout with CRLF line endings is still the same migration.
      const sql = text.replaceAll('\r\n', '\n');
      return { number: Number(name.slice(0, 4)), name, sha256: createHash('sha256').update(sql).digest('hex'), sql };
    }),
  );
}

const lockTimeout = '5s';

/**
 * Waits for the lock without a time limit, then sets limits for the migrations. A statement waits at most 5 s for a table
 * lock, because all requests on that table queue up behind it. It can run for an hour, such as an index on 100 M rows.
 */
async function acquireLock(client: Client): Promise<void> {
  await client.query(
    `set client_min_messages = warning; set search_path = public; set statement_timeout = 0; set lock_timeout = 0`,
  );
  while (!(await tryLock(client))) await sleep(200);
  await client.query(
    `set lock_timeout = '${lockTimeout}'; set statement_timeout = '1h'; set idle_in_transaction_session_timeout = '1min'`,
  );
}

/** Polled, because a process that waits inside a statement would block `create index concurrently` forever. */
async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${BigInt(lockKey)}) as locked`);
  return rows[0]?.locked === true;
}

async function readApplied(client: Client): Promise<Applied[]> {
  const encoding = await client.query<{ server_encoding: string }>('show server_encoding');
  if (encoding.rows[0]?.server_encoding !== 'UTF8') {
    throw new Error(
      `The encoding of the database is ${encoding.rows[0]?.server_encoding}, not UTF8. Create the database again with: create database ... encoding 'UTF8' template template0`,
    );
  }
  await client.query(`
    create table if not exists migrations (
      number integer constraint migrations_pk primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz(3) not null default now()
    )`);
  const { rows } = await client.query<Applied>('select number, name, sha256 from migrations order by number');
  return rows;
}

/** Rejects a database with migrations that differ from those of this build. */
function findPending(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const row of applied) {
    const file = known.get(row.number);
    if (!file) {
      throw new Error(
        `The database has migration ${row.name} of a newer release. ` +
          'Run that release or a later one. Migrations cannot be reverted.',
      );
    }
    if (file.sha256 !== row.sha256) {
      throw new Error(
        `Migration ${file.name} was changed after it was applied to this database as ${row.name}. ` +
          'Restore the file and put the change into a new migration. You can also recreate a development database.',
      );
    }
  }
  const done = new Set(applied.map((row) => row.number));
  return migrations.filter((migration) => !done.has(migration.number));
}

const apply = (client: Client, migration: Migration): Promise<void> =>
  migration.sql.startsWith('-- Outside a transaction')
    ? applyWithoutTransaction(client, migration)
    : applyInTransaction(client, migration);

const record = (client: Client, { number, name, sha256 }: Migration) =>
  client.query('insert into migrations (number, name, sha256) values ($1, $2, $3)', [number, name, sha256]);

/** A semicolon at the end of a line ends a statement, except in the body of a function. */
const statementsOf = (text: string): string[] =>
  (text.match(/(?:\$\$[\s\S]*?\$\$|[\s\S])+?(?:;\s*$|$(?![\s\S]))/gm) ?? []).filter((part) => /^\w/m.test(part));

/** A concurrent index waits for open transactions without blocking others, so it needs no lock timeout. */
async function applyWithoutTransaction(client: Client, migration: Migration): Promise<void> {
  try {
    for (const statement of statementsOf(migration.sql)) {
      await client.query(`set lock_timeout = '${/^\w.*\bindex concurrently\b/m.test(statement) ? '0' : lockTimeout}'`);
      await client.query(statement);
    }
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    await record(client, migration);
  } catch (error) {
    throw new Error(
      `Migration ${migration.name} failed before it was complete. The next run repeats it: ${String(error)}`,
      {
        cause: error,
      },
    );
  }
}

async function applyInTransaction(client: Client, migration: Migration): Promise<void> {
  const { name, sql } = migration;
  await client.query('begin');
  try {
    await client.query(sql);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed and was rolled back: ${String(error)}`, { cause: error });
  }
}

async function grant(client: Client, grants: string, appRole: string): Promise<void> {
  const { rows } = await client.query<{ is_owner: boolean; known: boolean }>(
    'select current_user = $1 as is_owner, exists (select from pg_roles where rolname = $1) as known',
    [appRole],
  );
  if (rows[0]?.is_owner) return;
  if (!rows[0]?.known) {
    throw new Error(
      `No database role "${appRole}" for the application. Create it with: create role ${client.escapeIdentifier(appRole)} login password '...'`,
    );
  }
  await client.query('begin');
  await client.query(grants.replaceAll(':"app_role"', client.escapeIdentifier(appRole)));
  await client.query('commit');
}
