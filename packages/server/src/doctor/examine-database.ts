/** The database as the application's role sees it: version, clock, migrations, rights, queue, workers, checkpoints. */
import type pg from 'pg';
import type { Config } from '../config.ts';
import { workerApplication, type Database, type Db } from '../database/connection.ts';
import { canRewriteHistory, pendingMigrations, unknownMigrations } from '../database/migrate.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { callbackQueue } from '../jobs/queue-names.ts';
import { examineCheckpoints } from './examine-checkpoints.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

/** As `server_version_num` says them: the oldest that we run on, and the first that nobody has tried. */
const [oldest, untried] = [150_000, 190_000];

/** Leases and deadlines are those of the database; logs and lines of history must not seem to contradict each other. */
const farApartMs = 2000;

type Look = (pool: pg.Pool, config: Config, db: Db) => Promise<Finding>;

const looks: readonly { what: string; look: Look }[] = [
  { what: 'Clock', look: examineClock },
  { what: 'Migrations', look: examineMigrations },
  { what: 'Role', look: examineRole },
  { what: 'Queue', look: examineQueue },
  { what: 'Worker', look: examineWorkers },
  { what: 'Checkpoints', look: (_pool, config, db) => examineCheckpoints(db, config) },
];

export async function* examineDatabase({ pool, db }: Database, config: Config): AsyncGenerator<Finding> {
  const reached = await reach(pool);
  yield reached;
  if (reached.outcome === 'failed') return;
  for (const { what, look } of looks) {
    const finding = await look(pool, config, db).catch((error: unknown) =>
      failed(what, `could not be examined: ${messageOf(error)}`, 'Run `milepost migrate`, then look again.'),
    );
    yield finding;
    if (what === 'Migrations' && finding.outcome === 'failed') return;
  }
}

async function reach(pool: pg.Pool): Promise<Finding> {
  const what = 'Database';
  try {
    const { rows } = await pool.query<{ number: string; version: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    );
    const { number = '0', version = '' } = rows[0] ?? {};
    if (Number(number) < oldest) {
      return failed(what, `PostgreSQL ${version} is too old`, 'Upgrade PostgreSQL to 15 or later.');
    }
    return Number(number) >= untried
      ? warning(what, `PostgreSQL ${version}`, 'Milepost is tested with PostgreSQL 15 to 18.')
      : ok(what, `PostgreSQL ${version}`);
  } catch (error) {
    return failed(what, messageOf(error), 'See that PostgreSQL runs, and that DATABASE_URL leads to it.');
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
  return Math.abs(aheadMs) <= farApartMs
    ? ok('Clock', `within ${seconds} s of the database's`)
    : warning('Clock', `${seconds} s away from the database's`, 'Let both machines set their clocks by NTP.');
}

async function examineMigrations(pool: pg.Pool): Promise<Finding> {
  const query = (text: string) => pool.query(text);
  const what = 'Migrations';
  const pending = await pendingMigrations(query);
  if (pending.length > 0) return failed(what, `missing: ${pending.join(', ')}`, 'Run `milepost migrate`.');
  const unknown = await unknownMigrations(query);
  return unknown.length === 0
    ? ok(what, 'all applied')
    : warning(what, `of a newer release: ${unknown.join(', ')}`, 'Run that release here, too.');
}

async function examineRole(pool: pg.Pool, { unsafeDatabaseRole }: Config): Promise<Finding> {
  const what = 'Role';
  const { rows } = await pool.query<{ role: string; writes: boolean }>(
    `select current_user as role, has_any_column_privilege('public.history', 'insert') as writes`,
  );
  const { role = '', writes } = rows[0] ?? {};
  if (await canRewriteHistory((text) => pool.query(text))) {
    const tell = unsafeDatabaseRole ? warning : failed;
    return tell(what, `${role} could rewrite the history`, 'Let DATABASE_URL sign in as a role that owns nothing.');
  }
  return writes === true
    ? ok(what, `${role} can add to the history and cannot rewrite it`)
    : failed(what, `${role} lacks its rights`, 'Run `milepost migrate` with this DATABASE_URL.');
}

/** pg-boss itself refuses tables of another version. */
async function examineQueue(pool: pg.Pool): Promise<Finding> {
  const what = 'Queue';
  const remedy = 'Run `milepost migrate`.';
  try {
    const queue = await openQueue(pool, { supervise: false, onError: () => undefined });
    try {
      const known = await queue.known([callbackQueue]);
      return known.length > 0 ? ok(what, 'ready') : failed(what, 'has no place for callbacks', remedy);
    } finally {
      await queue.stop();
    }
  } catch (error) {
    return failed(what, messageOf(error), remedy);
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
    : warning('Worker', 'none is connected: callbacks wait', 'Start one: `milepost work`.');
}

const messageOf = (error: unknown): string => {
  // A name with several addresses fails once for each, and says nothing as a whole.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
};
