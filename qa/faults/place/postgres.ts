/** A PostgreSQL of the run's own, with fsync, that can be killed and comes back on the same port and data. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedPostgres, type RunningPostgres } from '../../../packages/server/src/database/embedded-postgres.ts';
import { migrate } from '../../../packages/server/src/database/migrate.ts';
import { withClient } from '../../../packages/server/testing/test-server.ts';
import { hangMs, until } from '../until.ts';
import { ask, finds } from './ask.ts';

export interface Postgres {
  /** As the role that serves. */
  appUrl: string;
  /** As a superuser, for looking behind the interface and for ending connections. */
  ownerUrl: string;
  /** Kills the postmaster; answers when another one takes connections. Commits are not held any more then. */
  killAndRestart: () => Promise<void>;
  /** From here on commits reach the disk but are not confirmed, as if a synchronous standby did not answer. */
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
    await ask(urls, `alter system set synchronous_standby_names = 'nobody'`);
    await ask(urls, 'select pg_reload_conf()');
    await until('commits are held', () => isOwnCommitHeld(urls));
  };
  // Read by the next postmaster, or at the next reload.
  const forgetStandby = () => ask(urls, 'alter system reset synchronous_standby_names');
  const releaseCommits = async () => {
    await forgetStandby();
    await ask(urls, 'select pg_reload_conf()');
  };
  const killAndRestart = async () => {
    await forgetStandby();
    process.kill(await postmasterOf(folder), 'SIGKILL');
    // There is nothing left to stop; only what would stop it at the end of this process has to go.
    await running.stop().catch(() => undefined);
    running = await startAgain(folder, port);
  };
  /** One that is starting is not killed: the next waits for its turn. */
  let turn = Promise.resolve();
  return {
    ...urls,
    killAndRestart: () => (turn = turn.then(killAndRestart)),
    holdCommits,
    releaseCommits,
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The setting takes effect a little after the reload: when a commit of our own waits. */
async function isOwnCommitHeld(urls: Pick<Postgres, 'ownerUrl'>): Promise<boolean> {
  let isConfirmed = false;
  const commit = `select pg_logical_emit_message(true, 'faults', 'held')`;
  void ask(urls, commit).then(
    () => (isConfirmed = true),
    () => (isConfirmed = true),
  );
  const held = `select from pg_stat_activity where query = $1 and wait_event = 'SyncRep'`;
  await until('a commit of our own', async () => isConfirmed || finds(urls, held, [commit]));
  return !isConfirmed;
}

async function migrated(superuserUrl: string): Promise<Pick<Postgres, 'appUrl' | 'ownerUrl'>> {
  // The superuser's, which is random: the server takes none that can be guessed.
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

/** The processes of the old one see that it is gone and end; until the last has, a new one refuses to start. */
async function startAgain(folder: string, port: number): Promise<RunningPostgres> {
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
