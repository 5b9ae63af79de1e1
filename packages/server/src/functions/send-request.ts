/**
 * Sends one HTTP request of a callback and logs it. Headers name the execution and the attempt. A request that changes something
 * also carries an `Idempotency-Key`, which is the same in all attempts, so the receiver can drop repeated requests. Throws a temporary failure if a retry may help. The function evaluates all other responses.
 */
import { findCause } from '../causes/find-cause.ts';
import { cutMark } from '../cut-text.ts';
import type { Outgoing, OutgoingResponse, OutgoingRequest } from '../outgoing/create-outgoing.ts';
import { TemporaryFailure, type Run } from './callback-function.ts';
import { callbackFailure } from './callback-failure.ts';
import { secretsInRequest } from './sent-secrets.ts';

export interface HttpResponse {
  status: number;
  headers: OutgoingResponse['headers'];
  text: string;
  /** Whether `text` is only the beginning of the response. */
  cut: boolean;
}

type Request = Pick<OutgoingRequest, 'url' | 'method' | 'headers' | 'body'>;

export async function sendRequest(
  outgoing: Outgoing,
  run: Run,
  request: Request,
  isExpected: (status: number) => boolean,
): Promise<HttpResponse> {
  const what = `${request.method} ${withoutQuery(request.url)}`;
  const response = await send(outgoing, run, request, what);
  if (!isExpected(response.status) && isTemporary(response.status)) {
    throw new TemporaryFailure(`${what} returned ${response.status}.`, {
      host: hostOf(request.url),
      said: causeIn(response, request, run),
    });
  }
  if (!response.cut) return response;
  run.log(`${what}: the response is longer than 1 MiB. Only its beginning is kept.`);
  return { ...response, text: response.text + cutMark };
}

async function send(outgoing: Outgoing, run: Run, request: Request, what: string): Promise<HttpResponse> {
  const start = performance.now();
  const { execution, signal, trace } = run;
  const executionHeaders = {
    'x-milepost-execution': String(execution.id),
    'x-milepost-attempt': String(execution.attempt),
  };
  try {
    const { status, headers, body, cut } = await outgoing.request({
      ...request,
      headers: { ...idempotencyKey(run, request), ...request.headers, ...executionHeaders },
      signal,
      trace,
    });
    run.log(`${what}: ${status} in ${Math.round(performance.now() - start)} ms`);
    return { status, headers, text: decode(body, String(headers['content-type'] ?? '')), cut };
  } catch (error) {
    throw callbackFailure(error, run, hostOf(request.url));
  }
}

const safeMethods = new Set<string>(['GET', 'HEAD', 'OPTIONS']);

/**
 * Another installation, or this one after a restore, can use the same id for another execution, so the key has its time. A request
 * with the secret differs in each attempt, and so does its key: a report with the secret of an earlier attempt would be rejected.
 */
function idempotencyKey({ execution }: Run, request: Request): Record<string, string> {
  if (safeMethods.has(request.method)) return {};
  const { id, created, attempt, secret } = execution;
  const key = `milepost-execution-${id}-${Date.parse(created)}`;
  return { 'idempotency-key': JSON.stringify(request).includes(secret) ? `${key}-${attempt}` : key };
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? '';

/** Too many requests, or a server error. */
const isTemporary = (status: number) => status === 429 || status >= 500;

/** A server may quote the secrets that it rejects. */
export const causeIn = ({ text }: Pick<HttpResponse, 'text'>, request: Request, { execution }: Run) =>
  findCause([{ answer: text }], [execution.secret, ...secretsInRequest(request)]);

/** The query may contain keys, so it is not logged. */
const withoutQuery = (url: string) => url.split(/[?#]/, 1)[0] ?? '';

function decode(body: Buffer, contentType: string): string {
  const [, charset] = /;\s*charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString();
  }
}
