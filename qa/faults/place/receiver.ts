/**
 * What callbacks call. It writes each run to its own log before it answers, and does as the path says: `call` answers at
 * once, `slow` after a while, `flaky` fails the first attempt.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson, startWebServer } from '../../../packages/server/testing/counterparts/web-server.ts';
import type { SyncedLog } from '../drive/synced-log.ts';
import type { ReceivedRun } from '../drive/lines.ts';

const slowMs = 2000;

export const startReceiver = (log: SyncedLog) =>
  startWebServer((request, response) => {
    request.resume();
    const run = runOf(request);
    const answer = async () => {
      await log.append(run);
      if (request.url === '/slow') await sleep(slowMs);
      if (!response.destroyed) sendJson(response, run.status, { attempt: run.attempt });
    };
    void answer();
  });

function runOf({ url, headers }: IncomingMessage): ReceivedRun {
  const mark = (name: string) => Number(headers[`x-milepost-${name}`]);
  const attempt = mark('attempt');
  const status = url === '/flaky' && attempt === 1 ? 503 : 200;
  return { kind: 'run', at: Date.now(), execution: mark('execution'), attempt, status };
}
