/**
 * The server that callbacks call. It writes each call to its log before it responds. The path determines the response: `call`
 * responds at once, `slow` after a delay or when it is released, `long` when it is released, `flaky` fails the first attempt.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson, startWebServer } from '../../../packages/server/testing/counterparts/web-server.ts';
import type { SyncedLog } from '../drive/synced-log.ts';
import type { ReceivedRun } from '../drive/lines.ts';

export interface Receiver {
  origin: string;
  /** Makes `slow` hold its responses until `release` is called. */
  hold: () => HeldRuns;
  /** The number of calls of `long` without a response. */
  longRuns: () => number;
  releaseLongRuns: () => void;
  stop: () => Promise<void>;
}

export interface HeldRuns {
  /** The runs that `slow` has received and not responded to. */
  runs: () => readonly ReceivedRun[];
  release: () => void;
}

const slowMs = 2000;

export async function startReceiver(log: SyncedLog): Promise<Receiver> {
  const slow = new Set<ReceivedRun>();
  const long = new Set<() => void>();
  let held = Promise.resolve();
  const delay = async (run: ReceivedRun) => {
    slow.add(run);
    await sleep(slowMs);
    await held;
    slow.delete(run);
  };
  const { origin, stop } = await startWebServer((request, response) => {
    request.resume();
    const run = runOf(request);
    const respond = async () => {
      await log.append(run);
      if (request.url === '/slow') await delay(run);
      if (request.url === '/long') await new Promise<void>((resolve) => void long.add(resolve));
      if (!response.destroyed) sendJson(response, run.status, { attempt: run.attempt });
    };
    void respond();
  });
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return { runs: () => [...slow], release: resolve };
  };
  const releaseLongRuns = () => {
    for (const release of long) release();
    long.clear();
  };
  return { origin, hold, longRuns: () => long.size, releaseLongRuns, stop };
}

function runOf({ url, headers }: IncomingMessage): ReceivedRun {
  const header = (name: string) => Number(headers[`x-milepost-${name}`]);
  const attempt = header('attempt');
  const status = url === '/flaky' && attempt === 1 ? 503 : 200;
  return { kind: 'run', at: Date.now(), execution: header('execution'), attempt, status };
}
