/** Checks the database as the application role: version, clock, migrations, permissions, queue, workers, checkpoints. */
import type pg from 'pg';
import type { Config } from '../config.ts';
import { workerApplication, type Database, type Db } from '../database/connection.ts';
import { canRewriteHistory, pendingMigrations, unknownMigrations } from '../database/migrate.ts';
import { readSearchSupport, type SearchSupport } from '../database/search-text.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { callbackQueue } from '../jobs/queue-names.ts';
import { examineCheckpoints } from './examine-checkpoints.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** As in `server_version_num`: the oldest supported version, and the first untested one. */
const [oldest, untested] = [150_000, 190_000];

/** Leases and deadlines use the database clock. The times in logs and in the history should agree. */
const maxClockDifferenceMs = 2000;

type Examine = (pool: pg.Pool, config: Config, db: Db) => Promise<Finding>;

const checks: readonly { check: string; examine: Examine }[] = [
  { check: 'Clock', examine: examineClock },
  { check: 'Migrations', examine: examineMigrations },
  { check: 'Role', examine: examineRole },
  { check: 'Search', examine: examineSearch },
  { check: 'Queue', examine: examineQueue },
  { check: 'Worker', examine: examineWorkers },
  { check: 'Checkpoints', examine: (_pool, config, db) => examineCheckpoints(db, config) },
];

export async function* examineDatabase({ pool, db }: Database, config: Config): AsyncGenerator<Finding> {
  const connection = await examineConnection(pool);
  yield connection;
  if (connection.outcome === 'failed') return;
  for (const { check, examine } of checks) {
    const finding = await examine(pool, config, db).catch((error: unknown) =>
      failed(check, `cannot be checked: ${messageOf(error)}`, 'Run `milepost migrate`, then `milepost doctor` again.'),
    );
    yield finding;
    if (check === 'Migrations' && finding.outcome === 'failed') return;
  }
}

async function examineConnection(pool: pg.Pool): Promise<Finding> {
  const check = 'Database';
  try {
    const { rows } = await pool.query<{ number: string; version: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    );
    const { number = '0', version = '' } = rows[0] ?? {};
    if (Number(number) < oldest) {
      return failed(check, `PostgreSQL ${version} is too old`, 'Upgrade to PostgreSQL 15 or later.');
    }
    return Number(number) >= untested
      ? warning(check, `PostgreSQL ${version} is untested`, 'Milepost is tested with PostgreSQL 15 to 18.')
      : ok(check, `PostgreSQL ${version}`);
  } catch (error) {
    return failed(check, messageOf(error), 'Check that PostgreSQL is running and that DATABASE_URL is correct.');
  }
}

async function examineClock(pool: pg.Pool): Promise<Finding> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: unknown }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  );
  return clockFinding(Number(rows[0]?.now) - (before + Date.now()) / 2);
}

export function clockFinding(aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return Math.abs(aheadMs) <= maxClockDifferenceMs
    ? ok('Clock', `within ${seconds} s of the database clock`)
    : warning('Clock', `${seconds} s off the database clock`, 'Synchronise the clocks on both machines with NTP.');
}

async function examineMigrations(pool: pg.Pool): Promise<Finding> {
  const query = (text: string) => pool.query(text);
  const check = 'Migrations';
  const pending = await pendingMigrations(query);
  if (pending.length > 0) return failed(check, `missing: ${pending.join(', ')}`, 'Run `milepost migrate`.');
  const unknown = await unknownMigrations(query);
  return unknown.length === 0
    ? ok(check, 'all applied')
    : warning(check, `from a newer version: ${unknown.join(', ')}`, 'Upgrade Milepost on this machine.');
}

async function examineRole(pool: pg.Pool, { unsafeDatabaseRole }: Config): Promise<Finding> {
  const check = 'Role';
  const { rows } = await pool.query<{ role: string; writes: boolean }>(
    `select current_user as role, has_any_column_privilege('public.history', 'insert') as writes`,
  );
  const { role = '', writes } = rows[0] ?? {};
  if (await canRewriteHistory((text) => pool.query(text))) {
    const outcome = unsafeDatabaseRole ? warning : failed;
    return outcome(check, `${role} can rewrite the history`, 'Set DATABASE_URL to a role that owns no tables.');
  }
  return writes === true
    ? ok(check, `${role} can add to the history, but not rewrite it`)
    : failed(check, `${role} lacks permissions`, 'Run `milepost migrate` with this DATABASE_URL.');
}

const install = 'Run `create extension pg_trgm` in the database as a superuser, then `milepost migrate`.';

const missing: Record<Exclude<SearchSupport, 'substrings'>, { reason: string; remedy: string }> = {
  'no index': { reason: 'the index is missing', remedy: 'Run `milepost migrate`.' },
  'not installed': { reason: 'the extension pg_trgm is not installed', remedy: install },
  'not available': {
    reason: 'the extension pg_trgm is not available',
    remedy: `Install the contrib package of PostgreSQL. ${install}`,
  },
};

async function examineSearch(pool: pg.Pool): Promise<Finding> {
  const support = await readSearchSupport((text) => pool.query(text));
  if (support === 'substrings') return ok('Search', 'finds parts of labels and external IDs');
  const { reason, remedy } = missing[support];
  return warning('Search', `finds only the beginning of labels and external IDs, because ${reason}`, remedy);
}

/** pg-boss rejects tables of another version when it opens. */
async function examineQueue(pool: pg.Pool): Promise<Finding> {
  const check = 'Queue';
  const remedy = 'Run `milepost migrate`.';
  try {
    const queue = await openQueue(pool, { supervise: false, onError: () => undefined });
    try {
      const { rows } = await pool.query('select from pgboss.queue where queue.name = $1', [callbackQueue]);
      return rows.length > 0 ? ok(check, 'ready') : failed(check, 'the queue for callbacks is missing', remedy);
    } finally {
      await queue.stop();
    }
  } catch (error) {
    return failed(check, messageOf(error), remedy);
  }
}

async function examineWorkers(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ connected: boolean }>(
    `select exists (select from pg_stat_activity
       where datname = current_database() and application_name = $1) as connected`,
    [workerApplication],
  );
  return rows[0]?.connected === true
    ? ok('Worker', 'connected')
    : warning('Worker', 'none connected, so no callbacks run', 'Start a worker with `milepost work`.');
}

const messageOf = (error: unknown): string => {
  // A host name with several addresses fails with one error for each, and the AggregateError has no message.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
};
