/** The testbed of a run: database, receiver, two servers, two workers and logs, started and stopped together. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCheckpointKey } from '../../../packages/server/src/chain/checkpoint-key.ts';
import { startServerProcess, type ServerProcess } from '../../../packages/server/testing/processes/server-process.ts';
import { startWorkerProcess, type WorkerProcess } from '../../../packages/server/testing/processes/worker-process.ts';
import type { FaultLine } from '../drive/lines.ts';
import { openSyncedLog, type SyncedLog } from '../drive/synced-log.ts';
import { members } from '../schedule.ts';
import { openLink, type Link } from '../../../packages/server/testing/counterparts/database-link.ts';
import { superviseMember, type Member } from './member.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { password } from './settings.ts';
import { watchReadiness } from './watch-readiness.ts';

export interface Testbed {
  postgres: Postgres;
  servers: readonly Member<ServerProcess>[];
  /** The servers that a load balancer would use. */
  open: () => readonly Member<ServerProcess>[];
  workers: readonly Member<WorkerProcess>[];
  receiver: Receiver;
  /** The proxy to the database, if there is one. */
  link: Link | undefined;
  /** Shuts down and restarts a server when the previous one is ready again, as in a rolling upgrade. */
  shutDownServer: (number: number) => Promise<void>;
  logs: { driver: SyncedLog; files: LogFiles };
  /** The file of the key that signs checkpoints. */
  keyFile: string;
  logFault: (line: Omit<FaultLine, 'at'>) => Promise<void>;
  stop: () => Promise<void>;
}

export interface LogFiles {
  driver: string;
  receiver: string;
  faults: string;
}

export interface TestbedOptions {
  /** Whether the processes reach the database through a proxy that can fail. */
  linked?: boolean;
  /** How long a server still accepts requests during a shutdown. If set, requests are sent only to servers that are ready. */
  leaveSeconds?: number;
}

export async function startTestbed(folder: string, { linked, leaveSeconds }: TestbedOptions = {}): Promise<Testbed> {
  await mkdir(folder, { recursive: true });
  const files = {
    driver: join(folder, 'driver.ndjson'),
    receiver: join(folder, 'receiver.ndjson'),
    faults: join(folder, 'faults.ndjson'),
  };
  const [driver, received, faults] = await Promise.all(Object.values(files).map(openSyncedLog));
  if (!driver || !received || !faults) throw new Error('Could not open the logs.');
  const logFault: Testbed['logFault'] = (line) => faults.append({ ...line, at: Date.now() });
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
    MILEPOST_COMMANDS: `long=${await writeLongProgram(folder, receiver.origin)}`,
    MILEPOST_CHECKPOINT_KEY_FILE: keyFile,
    MILEPOST_LEAVE_SECONDS: String(leaveSeconds ?? 0),
  };
  const { servers, workers } = await startMembers(settings, logFault);
  let lastShutdown = Promise.resolve();
  const readiness = leaveSeconds === undefined ? undefined : watchReadiness(servers);
  return {
    postgres,
    servers,
    open: readiness?.open ?? (() => servers),
    workers,
    receiver,
    link,
    shutDownServer: (number) =>
      (lastShutdown = lastShutdown.then(() => servers[number]?.shutDown()).then(() => readiness?.all())),
    logs: { driver, files },
    keyFile,
    logFault,
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

/** A program that calls the receiver and ends with its response. */
async function writeLongProgram(folder: string, origin: string): Promise<string> {
  const file = join(folder, 'long.sh');
  const headers = [
    'X-Milepost-Execution: ${MILEPOST_EXECUTION_URI##*/}',
    'X-Milepost-Attempt: $MILEPOST_EXECUTION_ATTEMPT',
    'Connection: close',
  ];
  const request = ['GET /long HTTP/1.1', 'Host: receiver', ...headers, '', ''].join('\\r\\n');
  const { port } = new URL(origin);
  const lines = ['#!/bin/bash', `exec 3<>/dev/tcp/127.0.0.1/${port}`, `echo -en "${request}" >&3`, 'cat <&3', ''];
  await writeFile(file, lines.join('\n'), { mode: 0o755 });
  return file;
}

async function startMembers(settings: Record<string, string>, logFault: Testbed['logFault']) {
  const server = (number: number) => superviseMember(`server ${number}`, () => startServerProcess(settings), logFault);
  const worker = (number: number) => superviseMember(`worker ${number}`, () => startWorkerProcess(settings), logFault);
  const numbers = Array.from({ length: members }, (_, index) => index + 1);
  // The first server starts alone, because it creates the first user.
  const first = await server(1);
  const [others, workers] = await Promise.all([
    Promise.all(numbers.slice(1).map(server)),
    Promise.all(numbers.map(worker)),
  ]);
  return { servers: [first, ...others], workers };
}
