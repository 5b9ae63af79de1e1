/** A cluster of Debian's PostgreSQL with fsync, made by its own tools, and the folders around it. */
import { execFile } from 'node:child_process';
import { access, appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, serverAccount, type Account } from '../../packages/server/src/database/embedded-postgres.ts';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { withClient } from '../../packages/server/testing/test-server.ts';
import { runBlock, type Shell } from './page.ts';

const programs = '/usr/lib/postgresql/15/bin';
const password = 'restored-and-whole';

export interface Cluster {
  shell: Shell;
  url: (role: string, port?: number, database?: string) => string;
  /** In the middle of whatever it does. */
  kill: () => Promise<void>;
  /** Everything that is left, the restored one included. */
  remove: () => Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  await access(join(programs, 'pg_basebackup')).catch(() => {
    throw new Error(`PostgreSQL 15 is needed in ${programs}: apt-get install postgresql-15`);
  });
  const account = await serverAccount();
  const folder = await mkdtemp(join(tmpdir(), 'milepost-restore-'));
  const shell = { account, environment: await variables(folder) };
  const run = (program: string, ...words: string[]) =>
    promisify(execFile)(join(programs, program), words, { ...account, env: shell.environment, cwd: '/' });
  await initialise(folder, account, run);
  await runBlock('Archive the WAL', shell);
  const { PGDATA = '', PGPORT = '', RESTORED = '' } = shell.environment;
  await run('pg_ctl', '-D', PGDATA, '-o', `-p ${PGPORT}`, '-l', join(folder, 'data.log'), '-w', 'start');
  const stop = (data: string) => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop').catch(() => undefined);
  return {
    shell,
    url: (role, port = Number(PGPORT), database = 'milepost') =>
      `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`,
    kill: () => killPostmaster(PGDATA),
    remove: async () => {
      await Promise.all([PGDATA, RESTORED].map(stop));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the page's blocks read. */
async function variables(folder: string): Promise<Record<string, string>> {
  return {
    PATH: [folder, programs, process.env['PATH']].join(delimiter),
    PGHOST: '127.0.0.1',
    PGPORT: String(await freePort()),
    PGUSER: 'postgres',
    PGPASSWORD: password,
    PGDATA: join(folder, 'data'),
    ARCHIVE: join(folder, 'archive'),
    BACKUP: join(folder, 'backup'),
    RESTORED: join(folder, 'restored'),
    RESTORED_PORT: String(await freePort()),
    DUMP: join(folder, 'dump'),
    DATABASE: 'milepost',
    COPY: 'milepost_copy',
    PUBLIC_KEY: join(folder, 'checkpoint-key.pub.pem'),
    KEY: join(folder, 'checkpoint-key.pem'),
  };
}

async function initialise(
  folder: string,
  account: Account,
  run: (...words: [string, ...string[]]) => Promise<unknown>,
) {
  const [data, secret] = [join(folder, 'data'), join(folder, 'password')];
  await mkdir(data);
  await writeFile(secret, password);
  await chmod(folder, 0o755);
  if (account) await Promise.all([folder, data, secret].map((path) => chown(path, account.uid, account.gid)));
  const flags = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${secret}`, '--encoding=UTF8', '--locale=C'];
  await run('initdb', ...flags, `--pgdata=${data}`);
  const settings = { listen_addresses: "'127.0.0.1'", unix_socket_directories: "''", fsync: 'on' };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await appendFile(join(data, 'postgresql.conf'), lines.join(''));
}

async function killPostmaster(data: string): Promise<void> {
  process.kill(Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL');
}

const roles = { app: 'milepost_app', backup: 'milepost_backup' };

/** The database of an installation, migrated, and the roles that the pages of the documentation name. */
export async function createInstallation({ url }: Cluster): Promise<typeof roles> {
  await withClient(url('postgres', undefined, 'postgres'), async (client) => {
    await client.query(`create role ${roles.app} login password '${password}'`);
    await client.query(`create role ${roles.backup} login replication password '${password}'`);
    await client.query('create database milepost template template0');
  });
  await migrate({ ownerUrl: url('postgres'), appRole: roles.app });
  return roles;
}
