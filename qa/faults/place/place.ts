/** Everything that a run consists of, started and stopped together: database, receiver, two servers, two workers, logs. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startServerProcess, type ServerProcess } from '../../../packages/server/testing/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../packages/server/testing/worker-process.ts';
import type { FaultLine } from '../drive/lines.ts';
import { openSyncedLog, type SyncedLog } from '../drive/synced-log.ts';
import { members } from '../schedule.ts';
import { superviseMember, type Member } from './member.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { startReceiver } from './receiver.ts';
import { password } from './settings.ts';

export interface Place {
  postgres: Postgres;
  servers: readonly Member<ServerProcess>[];
  workers: readonly Member<WorkerProcess>[];
  receiver: { origin: string };
  logs: { driver: SyncedLog; files: LogFiles };
  tell: (line: Omit<FaultLine, 'at'>) => Promise<void>;
  stop: () => Promise<void>;
}

export interface LogFiles {
  driver: string;
  receiver: string;
  faults: string;
}

export async function openPlace(folder: string): Promise<Place> {
  await mkdir(folder, { recursive: true });
  const files = {
    driver: join(folder, 'driver.ndjson'),
    receiver: join(folder, 'receiver.ndjson'),
    faults: join(folder, 'faults.ndjson'),
  };
  const [driver, received, faults] = await Promise.all(Object.values(files).map(openSyncedLog));
  if (!driver || !received || !faults) throw new Error('a log could not be opened');
  const tell: Place['tell'] = (line) => faults.append({ ...line, at: Date.now() });
  const postgres = await startPostgres();
  const receiver = await startReceiver(received);
  const { servers, workers } = await startMembers(postgres, receiver.origin, tell);
  return {
    postgres,
    servers,
    workers,
    receiver,
    logs: { driver, files },
    tell,
    stop: async () => {
      await Promise.all([...servers, ...workers].map((member) => member.stop()));
      await receiver.stop();
      await postgres.stop();
      await Promise.all([driver, received, faults].map((log) => log.close()));
    },
  };
}

async function startMembers({ appUrl }: Postgres, receiver: string, tell: Place['tell']) {
  const settings = { DATABASE_URL: appUrl, MILEPOST_LOG_LEVEL: 'warn', MILEPOST_ADMIN_PASSWORD: password };
  const startWorker = () => startWorkerProcess({ ...settings, MILEPOST_OUTGOING_ALLOW: receiver });
  const servers: Member<ServerProcess>[] = [];
  const workers: Member<WorkerProcess>[] = [];
  // One after the other: the first server makes the first account.
  for (let number = 1; number <= members; number++) {
    servers.push(await superviseMember(`server ${number}`, () => startServerProcess(settings), tell));
    workers.push(await superviseMember(`worker ${number}`, startWorker, tell));
  }
  return { servers, workers };
}
