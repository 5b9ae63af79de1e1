/** Writes a backup with the backup service, and restores it with the commands of docs/how-to/back-up-and-restore.md. */
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withClient } from '../../../packages/server/testing/postgres-server.ts';
import { ownersAndGrants } from '../../restore/owners-and-grants.ts';
import { pasteBlock, runBlock } from '../../restore/page.ts';
import { podman } from './podman.ts';
import type { Trial } from './try-compose.ts';

/** The account that owns the folder of the backups. */
export const operator = 1000;

export async function tryRestore(
  { containers, databaseUrl, check, log }: Trial,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const bin = join(containers.folder, 'bin');
  mkdirSync(bin);
  const program = fileURLToPath(new URL('docker.ts', import.meta.url));
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, 'docker'), 0o755);
  const backups = join(containers.folder, 'backups');
  const newest = () =>
    readdirSync(backups)
      .filter((file) => file.endsWith('.dump'))
      .toSorted()
      .at(-1) ?? '';
  const shell = () => {
    const environment = {
      ...variables,
      PATH: [bin, variables['PATH']].join(delimiter),
      COMPOSE_FOLDER: containers.folder,
      COMPOSE_PROJECT_NAME: containers.project,
      DUMP: join(backups, newest()),
    };
    return { account: undefined, environment };
  };
  log((await runBlock('Dump with Compose', shell())).trim());
  const { mode, uid } = statSync(join(backups, newest()));
  check((mode & 0o77) === 0 && uid === operator, `${newest()} is readable by the account ${uid} only`);
  await containers.healthy('backup');
  const before = [await countRows(databaseUrl), ...(await ownersAndGrants(databaseUrl))];
  const output = await runBlock('Restore a dump with Compose', shell());
  check(output.includes('Verified.'), `milepost verify: ${output.trim().split('\n').slice(-4).join(' ')}`);
  const after = [await countRows(databaseUrl), ...(await ownersAndGrants(databaseUrl))];
  check(after[0] === before[0], `restored ${after[0]}`);
  check(after.length > 50 && after.join() === before.join(), `${after.length} owners and grants are as dumped`);
  for (const name of ['server', 'worker']) await containers.healthy(name);
  check(true, 'server and worker run on the restored database');
  const outcome = await pasteBlock('Restore a dump with Compose', shell()).then(
    () => 'it ran again',
    (cause: unknown) => /^ERROR: .*$/m.exec(String(cause))?.[0] ?? String(cause),
  );
  const rows = await countRows(databaseUrl);
  const stopped: string[] = [];
  for (const name of ['server', 'worker', 'backup']) {
    const state = await podman('inspect', '--format', '{{.State.Status}}', containers.name(name));
    if (state !== 'running') stopped.push(name);
  }
  check(
    outcome.includes('milepost_old') && rows === before[0] && stopped.length === 0,
    `a second restore changes and stops nothing: ${outcome}, ${rows}, stopped: ${stopped.join(', ') || 'none'}`,
  );
  await runBlock('Drop the old database with Compose', shell());
  const left = await withClient(databaseUrl, (client) =>
    client.query(`select from pg_database where datname = 'milepost_old'`),
  );
  check(left.rowCount === 0, 'the old database is dropped');
}

/** Nothing writes to these tables between the dump and the restore. */
const countRows = (url: string): Promise<string> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select format('%s experiments, %s actions', (select count(*) from experiments), (select count(*) from actions)) as line`,
    );
    return rows[0]?.line ?? '';
  });
