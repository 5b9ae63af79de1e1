/**
 * The only way to foreign web servers. A request goes out only if the operator allows its scheme, host and port
 * (docs/decisions/0016). A name is resolved once, and the connection is opened to what came of it; redirects are answers
 * like any other; proxies named by the environment are not asked.
 */
import { Client, type Dispatcher } from 'undici';
import { isAllowed, originOf, targetOf, type AllowedTarget, type Target } from '../config/targets.ts';
import { version } from '../version.ts';
import { checkHeaders } from './check-headers.ts';
import { failureWords } from './failure-words.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';
import { addressesOf, pinnedTo, resolveName, type Resolve } from './pinned-addresses.ts';

export interface OutgoingRequest {
  url: string;
  method: Dispatcher.HttpMethod;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
  timeoutMs?: number;
}

export interface OutgoingAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  /** The answer was longer than what is kept of it. */
  cut: boolean;
}

export interface Outgoing {
  /** Throws OutgoingRefused, OutgoingFailed, or the reason of the signal. */
  request: (asked: OutgoingRequest) => Promise<OutgoingAnswer>;
}

export const outgoingLimits = { connectMs: 3000, totalMs: 60_000, answerBytes: 1024 * 1024, headerBytes: 16 * 1024 };

interface Options {
  allow: readonly AllowedTarget[];
  resolve?: Resolve;
  limits?: typeof outgoingLimits;
}

export const createOutgoing = ({ allow, resolve = resolveName, limits = outgoingLimits }: Options): Outgoing => ({
  request: async (asked) => {
    asked.signal.throwIfAborted();
    const url = readUrl(asked.url);
    const target = allowedTarget(url, allow);
    checkHeaders(asked.headers ?? {});
    const totalMs = Math.min(asked.timeoutMs ?? limits.totalMs, limits.totalMs);
    const timeout = AbortSignal.timeout(totalMs);
    const stop = AbortSignal.any([asked.signal, timeout]);
    try {
      const addresses = await addressesOf(target.host, resolve, limits.connectMs, stop);
      return await ask(target, url, addresses, { ...asked, signal: stop }, limits);
    } catch (error) {
      asked.signal.throwIfAborted();
      if (timeout.aborted) throw failed(target, `there was no whole answer within ${totalMs / 1000} s`, error);
      throw classified(target, error);
    }
  },
});

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url)
    throw new OutgoingRefused('The address cannot be read: one such as https://xnat.example.org/path is needed.');
  return url;
}

function allowedTarget(url: URL, allow: readonly AllowedTarget[]): Target {
  const target = readTarget(url);
  if (isAllowed(target, allow)) return target;
  throw new OutgoingRefused(
    `Requests to ${originOf(target)} are not allowed: the operator allows addresses with MILEPOST_OUTGOING_ALLOW.`,
  );
}

function readTarget(url: URL): Target {
  try {
    return targetOf(url);
  } catch (error) {
    throw new OutgoingRefused(`The address cannot be used: ${(error as Error).message}.`, { cause: error });
  }
}

/** A connection serves one request, so that none outlives its check. */
async function ask(
  target: Target,
  { pathname, search }: URL,
  addresses: readonly string[],
  { method, headers, body, signal }: OutgoingRequest,
  limits: typeof outgoingLimits,
): Promise<OutgoingAnswer> {
  const client = new Client(originOf(target), {
    connect: { lookup: pinnedTo(addresses), timeout: limits.connectMs },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.headerBytes,
  });
  try {
    const answer = await client.request({
      path: pathname + search,
      method,
      headers: { 'user-agent': `milepost/${version}`, ...headers },
      body: body ?? null,
      signal,
      reset: true,
    });
    return {
      status: answer.statusCode,
      headers: known(answer.headers),
      ...(await read(answer.body, limits.answerBytes)),
    };
  } finally {
    await client.destroy();
  }
}

const known = (headers: Readonly<Record<string, string | string[] | undefined>>): OutgoingAnswer['headers'] =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

async function read(body: AsyncIterable<Buffer>, most: number): Promise<Pick<OutgoingAnswer, 'body' | 'cut'>> {
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

/** What undici refuses in a request it would refuse again; everything else has to do with the connection. */
function classified(target: Target, error: unknown): Error {
  if (error instanceof OutgoingFailed) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new OutgoingRefused(`The request cannot be sent: ${message}.`, { cause: error });
  }
  return failed(target, failureWords(error), error);
}
