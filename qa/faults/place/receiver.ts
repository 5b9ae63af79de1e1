/**
 * What callbacks call. It writes each run to its own log before it answers, and does as the path says: `call` answers at
 * once, `slow` after a while, or when it is no longer held, `flaky` fails the first attempt.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson, startWebServer } from '../../../packages/server/testing/counterparts/web-server.ts';
import type { SyncedLog } from '../drive/synced-log.ts';
import type { ReceivedRun } from '../drive/lines.ts';

export interface Receiver {
  origin: string;
  /** From here on `slow` does not answer, until `release` is called. */
  hold: () => HeldRuns;
  stop: () => Promise<void>;
}

export interface HeldRuns {
  /** Those that `slow` has received and not answered. */
  runs: () => readonly ReceivedRun[];
  release: () => void;
}

const slowMs = 2000;

export async function startReceiver(log: SyncedLog): Promise<Receiver> {
  const slow = new Set<ReceivedRun>();
  let held = Promise.resolve();
  const answerSlowly = async (run: ReceivedRun) => {
    slow.add(run);
    await sleep(slowMs);
    await held;
    slow.delete(run);
  };
  const { origin, stop } = await startWebServer((request, response) => {
    request.resume();
    const run = runOf(request);
    const answer = async () => {
      await log.append(run);
      if (request.url === '/slow') await answerSlowly(run);
      if (!response.destroyed) sendJson(response, run.status, { attempt: run.attempt });
    };
    void answer();
  });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return { runs: () => [...slow], release: resolve };
  };
  return { origin, hold, stop };
}

function runOf({ url, headers }: IncomingMessage): ReceivedRun {
  const mark = (name: string) => Number(headers[`x-milepost-${name}`]);
  const attempt = mark('attempt');
  const status = url === '/flaky' && attempt === 1 ? 503 : 200;
  return { kind: 'run', at: Date.now(), execution: mark('execution'), attempt, status };
}
