/** Everything that a run consists of, started and stopped together: database, receiver, two servers, two workers, logs. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCheckpointKey } from '../../../packages/server/src/chain/checkpoint-key.ts';
import { startServerProcess, type ServerProcess } from '../../../packages/server/testing/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../packages/server/testing/worker-process.ts';
import type { FaultLine } from '../drive/lines.ts';
import { openSyncedLog, type SyncedLog } from '../drive/synced-log.ts';
import { members } from '../schedule.ts';
import { openLink, type Link } from './link.ts';
import { superviseMember, type Member } from './member.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { password } from './settings.ts';
import { watchReadiness } from './watch-readiness.ts';

export interface Place {
  postgres: Postgres;
  servers: readonly Member<ServerProcess>[];
  /** Those that a balancer sends to. */
  open: () => readonly Member<ServerProcess>[];
  workers: readonly Member<WorkerProcess>[];
  receiver: Receiver;
  /** Where the programs reach the database through one. */
  link: Link | undefined;
  /** Asks a server to end, when the one before is back: as everybody does who leaves no gap. */
  endServer: (number: number) => Promise<void>;
  logs: { driver: SyncedLog; files: LogFiles };
  /** Signs the checkpoints of the history. */
  keyFile: string;
  tell: (line: Omit<FaultLine, 'at'>) => Promise<void>;
  stop: () => Promise<void>;
}

export interface LogFiles {
  driver: string;
  receiver: string;
  faults: string;
}

export interface PlaceOptions {
  /** Whether the programs reach the database through a link that can be troubled. */
  linked?: boolean;
  /** How long a server that is asked to end still answers. If given, requests go only to servers that are ready. */
  leaveSeconds?: number;
}

export async function openPlace(folder: string, { linked, leaveSeconds }: PlaceOptions = {}): Promise<Place> {
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
  const link = linked === true ? await openLink(Number(new URL(postgres.appUrl).port)) : undefined;
  const receiver = await startReceiver(received);
  const keyFile = join(folder, 'checkpoint-key.pem');
  await writeFile(keyFile, createCheckpointKey(), { mode: 0o600 });
  const settings = {
    DATABASE_URL: link?.through(postgres.appUrl) ?? postgres.appUrl,
    MILEPOST_LOG_LEVEL: 'warn',
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_OUTGOING_ALLOW: receiver.origin,
    MILEPOST_CHECKPOINT_KEY_FILE: keyFile,
    MILEPOST_LEAVE_SECONDS: String(leaveSeconds ?? 0),
  };
  const { servers, workers } = await startMembers(settings, tell);
  let turn = Promise.resolve();
  const readiness = leaveSeconds === undefined ? undefined : watchReadiness(servers);
  return {
    postgres,
    servers,
    open: readiness?.open ?? (() => servers),
    workers,
    receiver,
    link,
    // As whoever installs a new version does: the next one ends when the last one is seen to be back.
    endServer: (number) => (turn = turn.then(() => servers[number]?.end()).then(() => readiness?.all())),
    logs: { driver, files },
    keyFile,
    tell,
    stop: async () => {
      await Promise.all([...servers, ...workers].map((member) => member.stop()));
      await readiness?.stop();
      await receiver.stop();
      await link?.stop();
      await postgres.stop();
      await Promise.all([driver, received, faults].map((log) => log.close()));
    },
  };
}

async function startMembers(settings: Record<string, string>, tell: Place['tell']) {
  const server = (number: number) => superviseMember(`server ${number}`, () => startServerProcess(settings), tell);
  const worker = (number: number) => superviseMember(`worker ${number}`, () => startWorkerProcess(settings), tell);
  const numbers = Array.from({ length: members }, (_, index) => index + 1);
  // The first server alone: it creates the first account.
  const first = await server(1);
  const [others, workers] = await Promise.all([
    Promise.all(numbers.slice(1).map(server)),
    Promise.all(numbers.map(worker)),
  ]);
  return { servers: [first, ...others], workers };
}
