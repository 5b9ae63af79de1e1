/** The client for the API of the server that serves these pages. The browser sends the session cookie. */
import { createClient, unattended, type Client } from '@milepost/api';
import { noteDegraded } from '../degraded/degraded.ts';
import { detectUnreachable } from './problems.ts';

export const basePath = '/api/v2';

const attendedMilliseconds = 60_000;

let touched = 0;
for (const event of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
  addEventListener(event, () => (touched = performance.now()), { capture: true, passive: true });
}

/**
 * Pages refetch data automatically, which must not keep an idle session alive. Requests therefore carry a header if the
 * user has not touched the page for a minute.
 */
export const attendedFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (performance.now() - touched > attendedMilliseconds) headers.set(unattended, 'true');
  const response = await fetch(input, { ...init, headers });
  noteDegraded(response);
  return response;
};

const options = { baseUrl: basePath, fetch: detectUnreachable(attendedFetch) };

export const client = createClient(options);

/** A client whose changes the server rejects with 412 if the object no longer has this version. */
export const clientForVersion = (version: string): Client =>
  createClient({ ...options, headers: { 'if-match': version } });
