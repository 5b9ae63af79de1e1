/** Reports that a simulated system sends to Milepost after a while, with the secret of the execution. */
import { setTimeout as sleep } from 'node:timers/promises';

export function createReports() {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pending = new Set<Promise<void>>();
  const send = async (ms: number, url: string, report: Record<string, unknown>): Promise<void> => {
    await sleep(ms, undefined, { signal });
    const headers = { 'content-type': 'application/json' };
    await fetch(url, { method: 'PUT', headers, body: JSON.stringify(report), signal });
  };
  return {
    sendLater: (ms: number, url: string, report: Record<string, unknown>): void => {
      // A report that fails is ignored: the callback then times out.
      const sent = send(ms, url, report)
        .catch(() => undefined)
        .finally(() => pending.delete(sent));
      pending.add(sent);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(pending);
    },
  };
}
