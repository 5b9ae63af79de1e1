/** Records the heartbeat of a server or worker, for the page of the installation. Its leases do not depend on it. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Db } from '../database/connection.ts';
import { heartbeatSeconds, recordHeartbeat, recordStop, type OwnProcess } from '../store/system/processes.ts';
import { version } from '../version.ts';
import { heartbeatRetryMs } from './heartbeats.ts';
import { repeat, type RepeatedWork } from './repeat.ts';

export function registerProcess(
  db: Db,
  kind: OwnProcess['kind'],
  runs: () => number,
  log: Pick<Logger, 'error'>,
): RepeatedWork {
  const own = { kind, host: hostname(), pid: process.pid, version };
  const onError = (error: unknown) => log.error({ err: error }, 'failed to record heartbeat');
  let id: number | undefined;
  const beat = async () => {
    id = await recordHeartbeat(db, id, own, runs());
  };
  const beating = repeat(heartbeatSeconds * 1000, beat, onError, heartbeatRetryMs);
  return {
    stop: async () => {
      await beating.stop();
      if (id !== undefined) await recordStop(db, id).catch(onError);
    },
  };
}
