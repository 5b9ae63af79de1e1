/** `fetch` for libraries, under the rules of outgoing connections: no redirects, and responses of limited size. */
import type { CustomFetch } from 'openid-client';
import { outgoingLimits, type Outgoing } from './create-outgoing.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';

/** Short, because a user waits in a browser. */
const timeoutMs = 10_000;

const maxSize = `${outgoingLimits.responseBytes / 1024 / 1024} MiB`;

export const fetchThrough =
  ({ request }: Outgoing): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const response = await request({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body != null && { body: textOf(body) }),
      signal: signal ?? AbortSignal.timeout(timeoutMs),
      timeoutMs,
    });
    if (response.cut) throw new OutgoingFailed(`The response from ${new URL(url).origin} is larger than ${maxSize}.`);
    const sent = Object.entries(response.headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
    return new Response(response.body.length === 0 ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: sent as [string, string][],
    });
  };

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new OutgoingRefused('Only text can be sent.');
}

/** Whether the error, or a cause of it, is that the other side is unreachable or failing. */
export function isOutage(error: unknown): boolean {
  if (error instanceof OutgoingFailed || error instanceof OutgoingRefused) return true;
  if (error instanceof Response) return error.status >= 500 || error.status === 429;
  if (!(error instanceof Error)) return false;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  const { status } = error as { status?: number };
  return (status !== undefined && status >= 500) || isOutage(error.cause);
}
