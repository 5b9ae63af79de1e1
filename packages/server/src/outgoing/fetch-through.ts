/** `fetch` as libraries call it, by the rules of outgoing connections: no redirect is followed, and no answer is endless. */
import type { CustomFetch } from 'openid-client';
import type { Outgoing } from './create-outgoing.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';

/** Somebody waits in front of a browser. */
const patienceMs = 10_000;

export const fetchThrough =
  ({ request }: Outgoing): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await request({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body != null && { body: textOf(body) }),
      signal: signal ?? AbortSignal.timeout(patienceMs),
      timeoutMs: patienceMs,
    });
    if (answer.cut) throw new OutgoingFailed(`The answer of ${new URL(url).origin} is too long.`);
    const sent = Object.entries(answer.headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
    return new Response(answer.body.length === 0 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: sent as [string, string][],
    });
  };

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new OutgoingRefused('Only text can be sent.');
}

/** Whether the reason, or a reason of it, is that the other side cannot be reached or does not work. */
export function isOutage(error: unknown): boolean {
  if (error instanceof OutgoingFailed || error instanceof OutgoingRefused) return true;
  if (error instanceof Response) return error.status >= 500 || error.status === 429;
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  const { status } = error as { status?: number };
  return (status !== undefined && status >= 500) || isOutage(error.cause);
}
