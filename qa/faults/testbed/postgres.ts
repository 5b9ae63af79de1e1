/** The PostgreSQL of a run, with fsync. It can be killed and restarts with the same port and data. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedPostgres, type RunningPostgres } from '../../../packages/server/src/database/embedded-postgres.ts';
import { migrate } from '../../../packages/server/src/database/migrate.ts';
import { withClient } from '../../../packages/server/testing/postgres-server.ts';
import { hangMs, until } from '../until.ts';
import { query, finds } from './query.ts';

export interface Postgres {
  /** Connects as the application role. */
  appUrl: string;
  /** Connects as a superuser, to read tables and close connections. */
  ownerUrl: string;
  /**
   * Kills the postmaster, starts a new one after some time and resolves when it accepts connections. This also releases held
   * commits.
   */
  killAndRestart: (awaySeconds?: number) => Promise<void>;
  /** Makes commits reach the disk without being confirmed, as if a synchronous standby did not respond. */
  holdCommits: () => Promise<void>;
  releaseCommits: () => Promise<void>;
  stop: () => Promise<void>;
}

const settings = { fsync: 'on', synchronous_commit: 'on', max_connections: '120', shared_buffers: '256MB' };
const appRole = 'faults_app';

export async function startPostgres(): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-faults-postgres-'));
  await chmod(folder, 0o755);
  let running = await embeddedPostgres({ folder, settings });
  const port = Number(new URL(running.url).port);
  const urls = await migrated(running.url);
  const holdCommits = async () => {
    await query(urls, `alter system set synchronous_standby_names = 'nonexistent'`);
    await query(urls, 'select pg_reload_conf()');
    await until('commits are held', () => isOwnCommitHeld(urls));
  };
  // The next postmaster or the next reload reads the setting.
  const resetStandby = () => query(urls, 'alter system reset synchronous_standby_names');
  const releaseCommits = async () => {
    await resetStandby();
    await query(urls, 'select pg_reload_conf()');
  };
  const killAndRestart = async (awaySeconds: number) => {
    await resetStandby();
    process.kill(await postmasterOf(folder), 'SIGKILL');
    // It is already stopped. This only removes the handler that would stop it at the end of this process.
    await running.stop().catch(() => undefined);
    await sleep(awaySeconds * 1000);
    running = await restart(folder, port);
  };
  /** The next kill waits until the restart has finished. */
  let last = Promise.resolve();
  return {
    ...urls,
    killAndRestart: (awaySeconds = 0) => (last = last.then(() => killAndRestart(awaySeconds))),
    holdCommits,
    releaseCommits,
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The setting takes effect shortly after the reload. It is in effect when a commit of this function waits. */
async function isOwnCommitHeld(urls: Pick<Postgres, 'ownerUrl'>): Promise<boolean> {
  let isConfirmed = false;
  const commit = `select pg_logical_emit_message(true, 'faults', 'held')`;
  void query(urls, commit).then(
    () => (isConfirmed = true),
    () => (isConfirmed = true),
  );
  const held = `select from pg_stat_activity where query = $1 and wait_event = 'SyncRep'`;
  await until('a test commit is held or confirmed', async () => isConfirmed || finds(urls, held, [commit]));
  return !isConfirmed;
}

async function migrated(superuserUrl: string): Promise<Pick<Postgres, 'appUrl' | 'ownerUrl'>> {
  // The superuser's password is random. The server rejects weak passwords.
  const { password } = new URL(superuserUrl);
  await withClient(superuserUrl, async (client) => {
    await client.query(`create role ${appRole} login password '${password}'`);
    await client.query('create database faults template template0');
  });
  const ownerUrl = Object.assign(new URL(superuserUrl), { pathname: '/faults' }).href;
  await migrate({ ownerUrl, appRole });
  return { ownerUrl, appUrl: Object.assign(new URL(ownerUrl), { username: appRole }).href };
}

const postmasterOf = async (folder: string) =>
  Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10);

/** Retries, because a new postmaster does not start until all processes of the killed one have ended. */
async function restart(folder: string, port: number): Promise<RunningPostgres> {
  const giveUpAt = performance.now() + hangMs;
  for (;;) {
    try {
      return await embeddedPostgres({ folder, port, settings });
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}
