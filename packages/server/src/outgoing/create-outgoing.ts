/**
 * Sends all requests to other web servers. The operator must allow the scheme, host and port of each request
 * (docs/decisions/0016). A name is resolved once, and the connection uses the resulting address. Redirects are not followed, and
 * proxies in the environment are not used.
 */
import { Client, type Dispatcher } from 'undici';
import { isAllowed, originOf, targetOf, type AllowedTarget, type Target } from '../config/targets.ts';
import type { TraceContext } from '../tracing/span.ts';
import { version } from '../version.ts';
import { checkHeaders } from './check-headers.ts';
import { describeFailure } from './describe-failure.ts';
import { OutgoingFailed, OutgoingNotAllowed, OutgoingRefused } from './outgoing-errors.ts';
import { addressesOf, pinnedTo, resolveName, type Resolve } from './pinned-addresses.ts';
import { inRequestSpan } from './request-span.ts';

export interface OutgoingRequest {
  url: string;
  method: Dispatcher.HttpMethod;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Where the request belongs in a trace. */
  trace?: TraceContext | undefined;
}

export interface OutgoingResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** The response was longer than the limit, and `body` is only its beginning. */
  cut: boolean;
}

export interface Outgoing {
  /** Throws OutgoingRefused, OutgoingFailed, or the reason of the signal. */
  request: (request: OutgoingRequest) => Promise<OutgoingResponse>;
}

export const outgoingLimits = { connectMs: 3000, totalMs: 60_000, responseBytes: 1024 * 1024, headerBytes: 16 * 1024 };

interface Options {
  allow: readonly AllowedTarget[];
  resolve?: Resolve;
  limits?: typeof outgoingLimits;
}

export const createOutgoing = ({ allow, resolve = resolveName, limits = outgoingLimits }: Options): Outgoing => ({
  request: async (given) => {
    given.signal.throwIfAborted();
    const url = readUrl(given.url);
    const target = allowedTarget(url, allow);
    checkHeaders(given.headers ?? {});
    return inRequestSpan(target, given, async (request) => {
      const totalMs = Math.min(request.timeoutMs ?? limits.totalMs, limits.totalMs);
      const timeout = AbortSignal.timeout(totalMs);
      const stop = AbortSignal.any([request.signal, timeout]);
      try {
        const addresses = await addressesOf(target.host, resolve, limits.connectMs, stop);
        return await send(target, url, addresses, { ...request, signal: stop }, limits);
      } catch (error) {
        request.signal.throwIfAborted();
        if (timeout.aborted) throw failed(target, `the response was not complete within ${totalMs / 1000} s`, error);
        throw classified(target, error);
      }
    });
  },
});

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new OutgoingRefused('The URL is invalid. Use one such as https://xnat.example.org/path.');
  return url;
}

function allowedTarget(url: URL, allow: readonly AllowedTarget[]): Target {
  const target = readTarget(url);
  if (isAllowed(target, allow)) return target;
  throw new OutgoingNotAllowed(
    `Requests to ${originOf(target)} are not allowed. The operator can allow them with MILEPOST_OUTGOING_ALLOW.`,
  );
}

function readTarget(url: URL): Target {
  try {
    return targetOf(url);
  } catch (error) {
    throw new OutgoingRefused(`The URL cannot be used: ${(error as Error).message}.`, { cause: error });
  }
}

/** A connection is used for one request, so that none outlives its check. */
async function send(
  target: Target,
  { pathname, search }: URL,
  addresses: readonly string[],
  { method, headers, body, signal }: OutgoingRequest,
  limits: typeof outgoingLimits,
): Promise<OutgoingResponse> {
  const client = new Client(originOf(target), {
    connect: { lookup: pinnedTo(addresses), timeout: limits.connectMs },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
  });
  try {
    const response = await client.request({
      path: pathname + search,
      method,
      headers: { 'user-agent': `milepost/${version}`, ...headers },
      body: body ?? null,
      signal,
      reset: true,
    });
    return {
      status: response.statusCode,
      headers: withoutUndefined(response.headers),
      ...(await read(response.body, limits.responseBytes)),
    };
  } finally {
    await client.destroy();
  }
}

const withoutUndefined = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): OutgoingResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

async function read(body: AsyncIterable<Buffer>, most: number): Promise<Pick<OutgoingResponse, 'body' | 'cut'>> {
  const parts: Buffer[] = [];
  let room = most;
  for await (const part of body) {
    parts.push(part.subarray(0, room));
    if (part.length > room) return { body: Buffer.concat(parts), cut: true };
    room -= part.length;
  }
  return { body: Buffer.concat(parts), cut: false };
}

const failed = (target: Target, why: string, cause: unknown) =>
  new OutgoingFailed(`The request to ${originOf(target)} failed: ${why}.`, { cause });

/** If undici rejects the request itself, the failure is permanent. Everything else is a problem of the connection. */
function classified(target: Target, error: unknown): Error {
  if (error instanceof OutgoingFailed) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new OutgoingRefused(`The request cannot be sent: ${message}.`, { cause: error });
  }
  return failed(target, describeFailure(error), error);
}
