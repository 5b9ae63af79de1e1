/** One request and its outcome. Without a response, or with a status of 500 or higher, the outcome is unknown. */
import { createHash, randomUUID } from 'node:crypto';
import { basic } from '@milepost/api';
import { Agent, request } from 'undici';
import { password } from '../testbed/settings.ts';
import { hangMs, until } from '../until.ts';
import type { OutcomeLine } from './lines.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  key?: string;
  /** The secret of an attempt. Without one, the request is authenticated as the administrator. */
  secret?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses have any shape
type Body = any;

export type RequestResult = Pick<
  OutcomeLine,
  'outcome' | 'status' | 'sent' | 'code' | 'replayed' | 'retryAfter' | 'digest'
> & {
  body: Body;
};

const agent = new Agent({ headersTimeout: hangMs, bodyTimeout: hangMs, connect: { timeout: hangMs } });
const administrator = basic('admin', password);

const noResponse = (sent: boolean): RequestResult => ({
  outcome: 'unknown',
  status: 0,
  sent,
  replayed: false,
  retryAfter: false,
  body: undefined,
});

const isUnsent = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(?:ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT)$/.test(String(error.code));

export async function send(baseUrl: string, sent: Request): Promise<RequestResult> {
  try {
    const { statusCode, headers, body } = await request(baseUrl + sent.path, {
      dispatcher: agent,
      method: sent.method,
      headers: headersOf(sent),
      body: sent.body === undefined ? null : JSON.stringify(sent.body),
    });
    return resultOf(statusCode, headers, await body.text());
  } catch (error) {
    return noResponse(!isUnsent(error));
  }
}

/** Creates a resource, however busy the server is. It is repeated with the same key, so it has one effect. */
export async function create(baseUrl: string, path: string, body: object): Promise<Body> {
  const key = randomUUID();
  let result = noResponse(false);
  await until(`POST ${path} gets a response`, async () => {
    result = await send(baseUrl, { method: 'POST', path, body, key });
    return result.outcome !== 'unknown';
  });
  if (result.outcome !== 'ok') throw new Error(`${path}: ${result.status} ${JSON.stringify(result.body)}`);
  return result.body;
}

const headersOf = ({ key, secret, body }: Request) => ({
  authorization: secret === undefined ? administrator : `Bearer ${secret}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(key !== undefined && { 'idempotency-key': key }),
});

function resultOf(status: number, headers: Record<string, unknown>, text: string): RequestResult {
  const body = JSON.parse(text);
  const code: unknown = body.code ?? body.error?.code;
  return {
    outcome: outcomeOf(status),
    status,
    sent: true,
    ...(typeof code === 'string' && { code }),
    replayed: headers['idempotency-replayed'] === 'true',
    retryAfter: headers['retry-after'] !== undefined,
    ...(status < 300 && { digest: createHash('sha256').update(text).digest('base64url').slice(0, 12) }),
    body,
  };
}

/** A status of 500 or higher may be returned after the commit (docs/reference/errors.md). */
function outcomeOf(status: number): RequestResult['outcome'] {
  if (status < 300) return 'ok';
  return status < 500 ? 'rejected' : 'unknown';
}
