/**
 * Decides who may call an operation: a signed-in user, or a program with the secret of an execution's attempt, which gives
 * access to that execution only. A secret takes precedence over an account, so permissions are checked once it is known that
 * neither the header nor the body contains one.
 */
import type { Usage } from './accounts.ts';
import type { Operation } from '@milepost/api';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors.ts';
import { allCohorts, noCohorts } from '../../store/scope.ts';
import type { Authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { readSecret } from './bearer.ts';
import { authorizeOnceConfirmed } from './deferred-account.ts';
import { deferSecret, wrongSecret } from './deferred-secret.ts';
import type { Account, OpenedExecution, OpenSession } from '../call.ts';
import { refuseCrossSite } from './refuse-cross-site.ts';
import { readCookie } from './session-cookie.ts';

export interface Admission {
  authenticate: Authenticate;
  /** The attempt that a secret belongs to; undefined for a wrong secret. */
  openExecution: (executionId: number, secret: string) => Promise<number | undefined>;
}

/** The user or the program that sent the request. */
export type Sender =
  | { account: Account; execution: null; session: OpenSession | null }
  | { account: Account; execution: OpenedExecution; session: null };

/** What may be read later, together with the data of the request. */
export interface Deferring {
  account: boolean;
  secret: boolean;
}

const nothing: Deferring = { account: false, secret: false };

/** Runs before the body is read. Null if the operation is public, or if the secret may still come in the body. */
export async function admit(
  { authenticate, openExecution }: Admission,
  operation: Operation,
  request: FastifyRequest,
  { usage, defers = nothing }: { usage?: Usage; defers?: Deferring } = {},
): Promise<Sender | null> {
  const { authorization, cookie } = request.headers;
  refuseCrossSite(request);
  if (operation.access.kind === 'public') return null;
  if (operation.access.kind === 'execution') {
    const secret = readSecret(authorization);
    if (secret !== undefined) return open(openExecution, request, secret, defers.secret && hasSmallBody(request));
    const isAnonymous = authorization === undefined && readCookie(cookie) === undefined;
    if (isAnonymous && operation.body !== undefined) return refuseLargeBody(request);
  }
  const { account, session } = await authenticate(request, usage, defers.account);
  // Set before the checks below, so that the log names the account that they reject.
  request.account = account;
  if (account.token && operation.tokens === 'refused') throw tokenNotAllowed();
  // The body may contain a secret, so permissions are checked after it has been read.
  if (operation.access.kind === 'execution') return { account, execution: null, session };
  const withRights = (confirmed: Account) => authorizeFor(operation, request, confirmed);
  const admitted = account.confirm ? authorizeOnceConfirmed(account, withRights) : withRights(account);
  return { account: admitted, execution: null, session };
}

const tokenNotAllowed = () =>
  new Problem('not_allowed', 'API tokens cannot be used for this operation. Sign in with HTTP Basic or a browser.');

/** API tokens can always read their owner's account. To change it, they need the permission, except to revoke themselves. */
function authorizeFor(operation: Operation, { params }: FastifyRequest, account: Account): Account {
  const { id, token_id } = params as { id?: string; token_id?: string };
  const { token } = account;
  const isItself = operation.tokens === 'itself' && token_id === String(token?.id);
  const isOpenToOwner = !token || operation.method === 'GET' || isItself;
  return authorize(operation, account, isOpenToOwner ? id : undefined);
}

const maxAnonymousBody = 1024 * 1024;

/** A body without Content-Length could have any size. */
function hasSmallBody({ headers }: FastifyRequest): boolean {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  return length <= maxAnonymousBody;
}

/** Anonymous bodies are limited. */
function refuseLargeBody(request: FastifyRequest): null {
  if (hasSmallBody(request)) return null;
  throw new Problem(
    'body_too_large',
    'Send the secret as a bearer token (Authorization: Bearer ...) if the report is over 1 MiB or has no Content-Length.',
  );
}

/** Reads the secret from the body, even if a user is signed in. Returns the body without it. */
export async function admitByBody(
  { openExecution }: Admission,
  operation: Operation,
  request: FastifyRequest,
  body: unknown,
): Promise<{ sender: Sender | null; body: unknown }> {
  if (operation.access.kind !== 'execution') return { sender: request.sender, body };
  const { secret_key: key, secret = key, ...rest } = isObject(body) ? body : {};
  if (secret === undefined) {
    const sender = request.sender ?? refuseAnonymous();
    if (sender.execution) return { sender, body };
    return { sender: { ...sender, account: authorizeFor(operation, request, sender.account) }, body };
  }
  // Each of two secrets must be right.
  await request.sender?.execution?.confirm?.();
  if (typeof secret !== 'string' || (key !== undefined && key !== secret)) throw wrongSecret();
  return { sender: await open(openExecution, request, secret), body: rest };
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

function refuseAnonymous(): never {
  throw new Problem('not_signed_in', "Sign in with HTTP Basic, or send the execution's secret.");
}

async function open(
  openExecution: Admission['openExecution'],
  request: FastifyRequest,
  secret: string,
  defers = false,
): Promise<Sender> {
  const { id, execution_id = id } = request.params as { id?: string; execution_id?: string };
  const number = /^\d{1,16}$/.test(execution_id ?? '') ? Number(execution_id) : 0;
  const executionId = Number.isSafeInteger(number) ? number : 0;
  if (defers) {
    const read = () => openExecution(executionId, secret);
    const account: Account = { ...programAccount, scope: noCohorts };
    const execution = deferSecret({ id: executionId, secret }, read, (isRight) => {
      if (isRight) account.scope = allCohorts;
      // Otherwise, the log would name the placeholder.
      else request.account = null;
    });
    return { account, execution, session: null };
  }
  const attempt = await openExecution(executionId, secret);
  // The response is the same if the execution does not exist.
  if (attempt === undefined) throw wrongSecret();
  return { account: programAccount, execution: { id: executionId, attempt, secret }, session: null };
}

/** Placeholder for programs whose secret was checked. */
const programAccount: Account = {
  id: 0,
  username: '',
  passwordHash: null,
  active: true,
  roles: [],
  permissions: new Set(),
  cohortRoles: [],
  scope: allCohorts,
};
