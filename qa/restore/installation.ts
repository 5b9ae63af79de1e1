/** Server and workers as processes, a key for checkpoints, and the command `milepost` for the blocks of the page. */
import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServerProcess } from '../../packages/server/testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../packages/server/testing/processes/worker-process.ts';
import { password } from '../faults/testbed/settings.ts';

export async function makeKey({ KEY = '', PUBLIC_KEY = '', PGDATA = '' }: Record<string, string>): Promise<void> {
  const run = promisify(execFile);
  await run('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', KEY]);
  await run('openssl', ['pkey', '-in', KEY, '-pubout', '-out', PUBLIC_KEY]);
  const program = fileURLToPath(new URL('../../packages/milepost/src/milepost.ts', import.meta.url));
  const milepost = join(PGDATA, '..', 'milepost');
  await writeFile(milepost, `#!/bin/sh\nexec "${process.execPath}" --conditions=source "${program}" "$@"\n`);
  await chmod(milepost, 0o755);
}

interface Needs {
  key: string;
  databaseUrl: string;
  receiver: string;
}

export async function startInstallation({ key, databaseUrl, receiver }: Needs) {
  const settings = { DATABASE_URL: databaseUrl, MILEPOST_LOG_LEVEL: 'warn', MILEPOST_ADMIN_PASSWORD: password };
  const server = await startServerProcess(settings);
  const workers: WorkerProcess[] = [];
  return {
    baseUrl: server.baseUrl,
    all: () => [server, ...workers],
    startWorker: async () => {
      const more = { MILEPOST_CHECKPOINT_KEY_FILE: key, MILEPOST_WORKER_SLOTS: '2' };
      workers.push(await startWorkerProcess({ ...settings, ...more, MILEPOST_OUTGOING_ALLOW: receiver }));
    },
  };
}
