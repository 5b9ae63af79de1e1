/**
 * Who is let in, for each operation of the table: somebody who signed in, or a program that came with the secret of an
 * execution's attempt, which opens that execution and nothing else. If a secret is sent it alone decides: what an account
 * may do is asked when it is known that there is none, also in the body.
 */
import type { Operation } from '@milepost/api';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { allCohorts } from '../store/scope.ts';
import type { Asking, Authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { readSecret } from './bearer.ts';
import type { Account, OpenedExecution, OpenSession } from './call.ts';
import { refuseForeignPage } from './refuse-cross-site.ts';
import { readCookie } from './session-cookie.ts';

export interface Admission {
  authenticate: Authenticate;
  /** The attempt of an execution that a secret belongs to; undefined for a wrong one. */
  openExecution: (executionId: number, secret: string) => Promise<number | undefined>;
}

export type Caller =
  | { account: Account; execution: null; session: OpenSession | null }
  | { account: Account; execution: OpenedExecution; session: null };

/** Before the body is read. Null: nobody has said yet who they are, and the body may. */
export async function admit(
  { authenticate, openExecution }: Admission,
  operation: Operation,
  request: FastifyRequest,
  asking?: Asking,
): Promise<Caller | null> {
  const { authorization, cookie } = request.headers;
  refuseForeignPage(request);
  if (operation.access.kind === 'public') return null;
  if (operation.access.kind === 'execution') {
    const secret = readSecret(authorization);
    if (secret !== undefined) return open(openExecution, request, secret);
    const isStranger = authorization === undefined && readCookie(cookie) === undefined;
    if (isStranger && operation.body !== undefined) return refuseLargeBody(request);
  }
  const { account, session } = await authenticate(request, asking);
  // Known already where the next lines refuse: the log says whom.
  request.account = account;
  if (account.token && operation.tokens === 'refused') throw notByToken();
  // What an account may do where a secret might come in the body is asked when that has been read.
  if (operation.access.kind === 'execution') return { account, execution: null, session };
  return { account: authorizeFor(operation, request, account), execution: null, session };
}

const notByToken = () =>
  new Problem('not_allowed', 'A token does not open this: sign in with HTTP Basic, or with a browser.');

/** One's own account is open to a token for reading; what it may change has to be among its permissions. */
function authorizeFor(operation: Operation, { params }: FastifyRequest, account: Account): Account {
  const isOpenToOwner = !account.token || operation.method === 'GET';
  return authorize(operation, account, isOpenToOwner ? (params as { id?: string }).id : undefined);
}

const largestOfStrangers = 1024 * 1024;

/** Before anybody has said who they are. What comes without its length could grow to any. */
function refuseLargeBody({ headers }: FastifyRequest): null {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  if (length <= largestOfStrangers) return null;
  throw new Problem(
    'body_too_large',
    'A report of more than 1 MiB, or without Content-Length, needs the secret as a bearer token: Authorization: Bearer ....',
  );
}

/** The secret may come in the body, whoever signed in. What is left is the body without it. */
export async function admitByBody(
  { openExecution }: Admission,
  operation: Operation,
  request: FastifyRequest,
  body: unknown,
): Promise<{ caller: Caller | null; body: unknown }> {
  if (operation.access.kind !== 'execution') return { caller: request.caller, body };
  const { secret_key: key, secret = key, ...rest } = isObject(body) ? body : {};
  if (secret === undefined) {
    const caller = request.caller ?? refuseStranger();
    if (caller.execution) return { caller, body };
    return { caller: { ...caller, account: authorizeFor(operation, request, caller.account) }, body };
  }
  if (typeof secret !== 'string' || (key !== undefined && key !== secret)) throw wrongSecret();
  return { caller: await open(openExecution, request, secret), body: rest };
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

function refuseStranger(): never {
  throw new Problem('not_signed_in', "Sign in with HTTP Basic, or send the execution's secret.");
}

export const wrongSecret = () => new Problem('wrong_secret', 'This is not the secret of an attempt of this execution.');

async function open(
  openExecution: Admission['openExecution'],
  request: FastifyRequest,
  secret: string,
): Promise<Caller> {
  const { id, execution_id = id } = request.params as { id?: string; execution_id?: string };
  const executionId = /^\d{1,16}$/.test(execution_id ?? '') ? Number(execution_id) : 0;
  const attempt = Number.isSafeInteger(executionId) ? await openExecution(executionId, secret) : undefined;
  // The same answer whether or not there is such an execution.
  if (attempt === undefined) throw wrongSecret();
  return { account: program, execution: { id: executionId, attempt, secret }, session: null };
}

/** A program is nobody's account: it may do what the secret opens, and that has been checked. */
const program: Account = {
  id: 0,
  username: '',
  passwordHash: null,
  active: true,
  roles: [],
  permissions: new Set(),
  cohortRoles: [],
  scope: allCohorts,
};
