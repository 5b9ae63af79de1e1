/** Reports to Milepost, as foreign systems send them: after a while, with the secret that they were given. */
import { setTimeout as sleep } from 'node:timers/promises';

export function createReports() {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = new Set<Promise<void>>();
  const send = async (ms: number, url: string, report: Record<string, unknown>): Promise<void> => {
    await sleep(ms, undefined, { signal });
    const headers = { 'content-type': 'application/json' };
    await fetch(url, { method: 'PUT', headers, body: JSON.stringify(report), signal });
  };
  return {
    later: (ms: number, url: string, report: Record<string, unknown>): void => {
      // One that does not arrive is as good as none: whoever waits for it has a timeout.
      const one = send(ms, url, report)
        .catch(() => undefined)
        .finally(() => waiting.delete(one));
      waiting.add(one);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(waiting);
    },
  };
}
