/** The two methods of the page that restore a point in time: each runs the blocks of its section. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '../../packages/server/testing/postgres-server.ts';
import { checkArchive } from './check-archive.ts';
import { runBlock, withVariables } from './page.ts';
import type { Trial } from './trial.ts';

export interface Method {
  backUp: (trial: Trial) => Promise<void>;
  restore: (trial: Trial, target: string) => Promise<void>;
}

const environmentOf = ({ cluster }: Pick<Trial, 'cluster'>) => cluster.shell.environment;

const baseBackup: Method = {
  backUp: async ({ cluster, backup, check }) => {
    await runBlock('Take a base backup', withVariables(cluster.shell, { PGUSER: backup }));
    await checkArchive(check, cluster.url('postgres'), cluster.shell.environment['ARCHIVE'] ?? '');
  },
  restore: async (trial, target) => {
    await runBlock('Replay the WAL', withVariables(trial.cluster.shell, { TARGET: target })).catch((cause: unknown) =>
      failedStart(join(environmentOf(trial)['RESTORED'] ?? '', 'restore.log'), cause),
    );
  },
};

/** It restores into the old data folder. */
const pgBackRest: Method = {
  backUp: async ({ cluster, check }) => {
    const { environment } = cluster.shell;
    await writeFile(environment['PGBACKREST_CONFIG'] ?? '', configuration(environment));
    await runBlock('Set up pgBackRest', cluster.shell);
    await withClient(cluster.url('postgres'), (client) => client.query('select pg_reload_conf()'));
    const output = await runBlock('Back up with pgBackRest', cluster.shell);
    const listed = await runBlock('List the backups of pgBackRest', cluster.shell);
    check(
      /full backup: \S+/.test(listed),
      `pgBackRest took a backup: ${output.trim()} ${/full backup: \S+/.exec(listed)?.[0]}`,
    );
  },
  restore: async ({ cluster }, target) => {
    const shell = withVariables(cluster.shell, { TARGET: target });
    const { PGDATA = '', RESTORED_PORT = '' } = shell.environment;
    await runBlock('Restore with pgBackRest', shell);
    const log = join(PGDATA, 'restore.log');
    const options = { ...shell.account, env: shell.environment, cwd: '/' };
    const words = [`--pgdata=${PGDATA}`, `--log=${log}`, '--wait', `--options=-p ${RESTORED_PORT}`, 'start'];
    await promisify(execFile)('pg_ctl', words, options).catch((cause: unknown) => failedStart(log, cause));
    await waitForPromotion(cluster.url('postgres', Number(RESTORED_PORT), 'postgres'));
  },
};

const waitForPromotion = (url: string) =>
  withClient(url, async (client) => {
    const query = 'select pg_is_in_recovery() as waiting, pg_sleep(0.2)';
    while ((await client.query<{ waiting: boolean }>(query)).rows[0]?.waiting);
  });

const configuration = ({ PGDATA, PGPORT, PGBACKREST_CONFIG }: Record<string, string>): string => `[global]
repo1-path=${PGBACKREST_CONFIG}.repo
repo1-retention-full=4
start-fast=y
log-path=${PGBACKREST_CONFIG}.log
lock-path=${PGBACKREST_CONFIG}.lock
spool-path=${PGBACKREST_CONFIG}.spool

[milepost]
pg1-path=${PGDATA}
pg1-port=${PGPORT}
`;

async function failedStart(log: string, cause: unknown): Promise<never> {
  const text = await readFile(log, 'utf8').catch(String);
  throw new Error(`PostgreSQL did not start after the restore:\n${text}`, { cause });
}

export const methods: Record<string, Method> = { 'base-backup': baseBackup, pgbackrest: pgBackRest };
