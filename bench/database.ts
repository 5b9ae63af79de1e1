/** A migrated database for one benchmark, on its own PostgreSQL with fsync. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedPostgres } from '../packages/server/src/database/embedded-postgres.ts';
import { migrate } from '../packages/server/src/database/migrate.ts';
import { withClient } from '../packages/server/testing/postgres-server.ts';

export interface BenchDatabase {
  /** Connects as the role that owns the tables. */
  ownerUrl: string;
  /** Connects as the application role. */
  appUrl: string;
  /** The main process of PostgreSQL. */
  pid: number;
  /** The log file of PostgreSQL. */
  log: string;
}

/** The extensions are for statements.ts and plans.ts, which switch them on. */
const settings = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  shared_preload_libraries: 'pg_stat_statements,auto_explain',
};

export async function withDatabase<T>(measure: (database: BenchDatabase) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  await chmod(folder, 0o755);
  const postgres = await embeddedPostgres({ folder, settings });
  try {
    const pid = Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10);
    return await measure({ ...(await migrated(postgres.url)), pid, log: join(folder, 'postgres.log') });
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Not as a flag of the server, because flags cannot be changed later. */
const countNothing = [`alter system set pg_stat_statements.track = 'none'`, 'select pg_reload_conf()'];

async function migrated(superuserUrl: string): Promise<Pick<BenchDatabase, 'ownerUrl' | 'appUrl'>> {
  // The superuser's password is random. The server rejects weak passwords.
  const { password } = new URL(superuserUrl);
  const role = `create role bench login password '${password}'`;
  await query(superuserUrl, ...countNothing, role, 'create database bench template template0');
  const ownerUrl = Object.assign(new URL(superuserUrl), { pathname: '/bench' }).href;
  await migrate({ ownerUrl, appRole: 'bench' });
  return { ownerUrl, appUrl: Object.assign(new URL(ownerUrl), { username: 'bench' }).href };
}

export const query = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
