/** One request, and what can be said of its outcome: where no answer came, or one that leaves it open, it is unknown. */
import { createHash, randomUUID } from 'node:crypto';
import { basic } from '@milepost/api';
import { Agent, request } from 'undici';
import { password } from '../place/settings.ts';
import { hangMs, until } from '../until.ts';
import type { Answered } from './lines.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: object;
  key?: string;
  /** Of an attempt; without one it is the administrator who asks. */
  secret?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers have every shape
type Body = any;

export type Answer = Pick<Answered, 'outcome' | 'status' | 'sent' | 'code' | 'replayed' | 'retryAfter' | 'digest'> & {
  body: Body;
};

const agent = new Agent({ headersTimeout: hangMs, bodyTimeout: hangMs, connect: { timeout: hangMs } });
const administrator = basic('admin', password);

const noAnswer = (sent: boolean): Answer => ({
  outcome: 'unknown',
  status: 0,
  sent,
  replayed: false,
  retryAfter: false,
  body: undefined,
});

/** Of a connection that was never made. */
const isUnsent = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(?:ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT)$/.test(String(error.code));

export async function send(baseUrl: string, asked: Request): Promise<Answer> {
  try {
    const { statusCode, headers, body } = await request(baseUrl + asked.path, {
      dispatcher: agent,
      method: asked.method,
      headers: headersOf(asked),
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
    });
    return answerOf(statusCode, headers, await body.text());
  } catch (error) {
    return noAnswer(!isUnsent(error));
  }
}

/** Creates something, however busy the server is. Repeats have one effect, by their key. */
export async function create(baseUrl: string, path: string, body: object): Promise<Body> {
  const key = randomUUID();
  let answer = noAnswer(false);
  await until(`POST ${path}`, async () => {
    answer = await send(baseUrl, { method: 'POST', path, body, key });
    return answer.outcome !== 'unknown';
  });
  if (answer.outcome !== 'ok') throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const headersOf = ({ key, secret, body }: Request) => ({
  authorization: secret === undefined ? administrator : `Bearer ${secret}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(key !== undefined && { 'idempotency-key': key }),
});

function answerOf(status: number, headers: Record<string, unknown>, text: string): Answer {
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

/** An answer from 500 on may come after the commit: docs/reference/errors.md tells callers to look. */
function outcomeOf(status: number): Answer['outcome'] {
  if (status < 300) return 'ok';
  return status < 500 ? 'refused' : 'unknown';
}
