/** A PostgreSQL cluster with fsync, created with the tools of the Debian package, and its folders. */
import { execFile } from 'node:child_process';
import { access, appendFile, chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, serverAccount, type Account } from '../../packages/server/src/database/embedded-postgres.ts';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { withClient } from '../../packages/server/testing/postgres-server.ts';
import { hangMs } from '../faults/until.ts';
import { runBlock, type Shell } from './page.ts';

const programs = '/usr/lib/postgresql/15/bin';
const password = 'restored-and-whole';

export interface Cluster {
  shell: Shell;
  url: (role: string, port?: number, database?: string) => string;
  kill: () => Promise<void>;
  /** Removes all files, including the restored cluster. */
  remove: () => Promise<void>;
}

/** debian: the configuration files are in their own folder and name the data folder. plain: the layout of initdb. */
export type Layout = 'debian' | 'plain';

export async function startCluster(layout: Layout): Promise<Cluster> {
  await access(join(programs, 'pg_basebackup')).catch(() => {
    throw new Error(`PostgreSQL 15 is required in ${programs}. Run: apt-get install postgresql-15`);
  });
  const account = await serverAccount();
  const folder = await mkdtemp(join(tmpdir(), 'milepost-restore-'));
  const shell = { account, environment: await variables(folder, layout) };
  const run = (program: string, ...words: string[]) =>
    promisify(execFile)(join(programs, program), words, { ...account, env: shell.environment, cwd: '/' });
  await initialise(folder, account, run);
  const { PGDATA = '', PGPORT = '', RESTORED = '', CONFIG = '' } = shell.environment;
  if (layout === 'debian') await separateConfig(PGDATA, CONFIG, account);
  const options = `-p ${PGPORT} ${layout === 'debian' ? `-c config_file=${CONFIG}/postgresql.conf` : ''}`;
  const start = (verb: string) =>
    run('pg_ctl', '-D', PGDATA, '-o', options, '-l', join(folder, 'data.log'), '-w', verb);
  await start('start');
  await runBlock('Archive the WAL', shell);
  await start('restart');
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

/** The variables that the blocks of the page use. */
async function variables(folder: string, layout: Layout): Promise<Record<string, string>> {
  return {
    PATH: [folder, programs, process.env['PATH']].join(delimiter),
    PGHOST: '127.0.0.1',
    PGPORT: String(await freePort()),
    PGUSER: 'postgres',
    PGPASSWORD: password,
    PGCTLTIMEOUT: String(hangMs / 1000),
    PGDATA: join(folder, 'data'),
    ARCHIVE: join(folder, 'archive'),
    BACKUP: join(folder, 'backup'),
    RESTORED: join(folder, 'restored'),
    CONFIG: join(folder, layout === 'debian' ? 'etc' : 'restored'),
    RESTORED_PORT: String(await freePort()),
    DUMP: join(folder, 'dump'),
    DATABASE: 'milepost',
    COPY: 'milepost_copy',
    PUBLIC_KEY: join(folder, 'checkpoint-key.pub.pem'),
    KEY: join(folder, 'checkpoint-key.pem'),
    PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf'),
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

async function separateConfig(data: string, config: string, account: Account): Promise<void> {
  await mkdir(config);
  if (account) await chown(config, account.uid, account.gid);
  const files = ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf'];
  await Promise.all(files.map((file) => rename(join(data, file), join(config, file))));
  const paths = {
    data_directory: data,
    hba_file: join(config, 'pg_hba.conf'),
    ident_file: join(config, 'pg_ident.conf'),
  };
  const lines = Object.entries(paths).map(([name, path]) => `${name} = '${path}'\n`);
  await appendFile(join(config, 'postgresql.conf'), lines.join(''));
}

async function killPostmaster(data: string): Promise<void> {
  process.kill(Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL');
}

const roles = { owner: 'milepost_owner', app: 'milepost_app', backup: 'milepost_backup' };

/** Creates the roles that the docs name. */
export const createRoles = ({ url }: Cluster): Promise<void> =>
  withClient(url('postgres', undefined, 'postgres'), async (client) => {
    for (const role of [roles.owner, roles.app]) await client.query(`create role ${role} login password '${password}'`);
    await client.query(`create role ${roles.backup} login replication password '${password}'`);
  });

/** Creates the roles and a migrated database. */
export async function createInstallation(cluster: Cluster): Promise<typeof roles> {
  const { url } = cluster;
  await createRoles(cluster);
  await withClient(url('postgres', undefined, 'postgres'), async (client) => {
    await client.query(`create database milepost owner ${roles.owner} template template0`);
    await client.query('revoke all on database milepost from public');
    await client.query(`grant connect on database milepost to ${roles.app}`);
  });
  await migrate({ ownerUrl: url(roles.owner), appRole: roles.app });
  return roles;
}
