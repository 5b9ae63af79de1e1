/** A `fetch` that repeats a request while the server cannot reach its database, or waits too long for it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './repeat.ts';

const unavailable = 503;
const pauseMs = 1000;

/** The idempotency key makes it safe to repeat a change that was saved nevertheless. Logs once for each wait. */
export function patientFetch(log: Log, signal: AbortSignal): typeof fetch {
  return async (url, options = {}) => {
    const headers = new Headers(options.headers);
    if (options.method !== 'GET') headers.set('idempotency-key', randomUUID());
    let response = await fetch(url, { ...options, headers });
    if (response.status === unavailable) log('The database is not responding. The demo is waiting for it.');
    while (response.status === unavailable && !signal.aborted) {
      await response.body?.cancel();
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      response = await fetch(url, { ...options, headers });
    }
    return response;
  };
}
