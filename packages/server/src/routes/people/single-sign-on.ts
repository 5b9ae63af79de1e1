/**
 * Single sign-on with OpenID Connect (docs/decisions/0033). Browsers use two paths outside the API: one redirects to the
 * provider, and the provider redirects back to the other. Failures redirect to the sign-in page with a short code, so that
 * no text from the provider is shown.
 */
import {
  signInProblemParameter,
  signInProblems,
  singleSignOnCallbackPath,
  singleSignOnPath,
  type SignInProblem,
} from '@milepost/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { OidcProvider } from '../../config/oidc.ts';
import type { Database } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { signInWithIdentity, SignInRefused } from '../../engine/people/sign-in-with-identity.ts';
import { clientOf } from '../../http/access/request-origin.ts';
import { failureLimit, type FailureLimit } from '../../http/access/failure-limit.ts';
import { networkOf } from '../../http/access/network-of.ts';
import { toProblem } from '../../http/problem.ts';
import { createToken, hashToken, settingCookie } from '../../http/access/session-cookie.ts';
import * as cookies from '../../http/access/sign-in-cookie.ts';
import {
  createOpenIdProvider,
  ProviderFault,
  type OpenIdProvider,
  type VerifiedIdentity,
} from '../../outgoing/openid-provider.ts';
import { insertBegunSignIn, takeBegunSignIn } from '../../store/people/begun-sign-ins.ts';
import { countFailures } from '../../store/people/sign-in-failures.ts';
import { readReturnTo } from './read-return-to.ts';
import { beginSession } from './sessions.ts';

export const singleSignOnPaths = ({ oidc }: Config) => (oidc ? [singleSignOnPath, singleSignOnCallbackPath] : []);

export interface SingleSignOn {
  /** The display name of the provider. */
  name: string;
  /** The path that starts the sign-in. */
  uri: string;
}

export const singleSignOnOf = ({ oidc }: Config): SingleSignOn | null =>
  oidc ? { name: oidc.name, uri: singleSignOnPath } : null;

interface Parts {
  database: Database;
  publicUrl: string;
  settings: OidcProvider;
  provider: OpenIdProvider;
  /** Limits started sign-ins, because each one stores a row. */
  started: FailureLimit;
}

/** For 15 minutes and one address. A whole hospital can share it, so one user must not be able to lock out the others. */
const maxStarted = 5000;

export function mountSingleSignOn(
  app: FastifyInstance,
  { oidc, publicUrl, integrations }: Config,
  database: Database,
): void {
  if (!oidc || publicUrl === undefined) return;
  const redirectUri = publicUrl + singleSignOnCallbackPath;
  const provider = createOpenIdProvider({ provider: oidc, redirectUri, allow: integrations.allow });
  const started = failureLimit(countFailures(database.db, maxStarted), () => new SignInRefused('too_many_sign_ins'));
  const parts = { database, publicUrl, settings: oidc, provider, started };
  app.get(singleSignOnPath, { config: { operation: 'beginSingleSignOn' } }, (request, reply) =>
    redirectFailures(parts, request, reply, () => start(parts, request, reply)),
  );
  app.get(singleSignOnCallbackPath, { config: { operation: 'signInWithProvider' } }, (request, reply) =>
    redirectFailures(parts, request, reply, () => finish(parts, request, reply)),
  );
}

const redirect = (reply: FastifyReply, url: string) => reply.code(303).header('location', url).send();

const pairOf = (request: FastifyRequest) => `${networkOf(clientOf(request).address)}\0single sign-on begun`;

async function start({ database, provider, started }: Parts, request: FastifyRequest, reply: FastifyReply) {
  const returnTo = readReturnTo((request.query as Record<string, unknown>)['return_to']);
  // Another site must not sign in a user silently, so a user who comes from there sees the sign-in page first.
  if (/^(?:cross|same)-site$/.test(String(request.headers['sec-fetch-site'])))
    throw new SignInRefused('sign_in_expired');
  const secret = createToken();
  const url = await started.count(pairOf(request), async () => {
    const authorizationUrl = await provider.authorizationUrl(cookies.secretsOf(secret));
    await insertBegunSignIn(database.db, hashToken(secret), returnTo);
    return authorizationUrl;
  });
  return redirect(reply.header('set-cookie', cookies.settingSignInCookie(secret)), url);
}

/** Keeps no transaction open during the request to the provider, which can be slow. */
async function finish(parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { database, publicUrl, provider, started } = parts;
  const callbackUrl = new URL(publicUrl + singleSignOnCallbackPath + searchOf(request.url));
  const secret = cookies.readSignInCookie(request.headers.cookie) ?? '';
  const secrets = cookies.secretsOf(secret);
  // The callback belongs to another browser or sign-in. A sign-in that this browser has started stays valid.
  if (!cookies.isState(callbackUrl.searchParams.get('state'), secrets.state))
    throw new SignInRefused('sign_in_expired');
  reply.header('set-cookie', cookies.clearingSignInCookie);
  const returnTo = await takeBegunSignIn(database.db, hashToken(secret));
  if (returnTo === undefined) throw new SignInRefused('sign_in_expired');
  const token = await startSession(parts, request, await provider.verifyCallback(callbackUrl, secrets));
  await started.forget(pairOf(request));
  return redirect(reply.header('set-cookie', settingCookie(token)), publicUrl + returnTo);
}

const searchOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Creates or updates the account, its roles and its session in one transaction. */
async function startSession(
  { database, settings }: Parts,
  request: FastifyRequest,
  identity: VerifiedIdentity,
): Promise<string> {
  const token = createToken();
  await inTransaction(database.db, async (tx) => {
    const userId = await signInWithIdentity(tx, { identity, map: settings, requestId: request.id });
    const author = { kind: 'user' as const, id: userId, requestId: request.id, operation: 'signInWithProvider' };
    await beginSession(tx, { userId, token, client: clientOf(request), author });
  });
  return token;
}

async function redirectFailures(
  { publicUrl }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    // The browser would not store the cookies, and others could read them.
    if (!clientOf(request).isSecureContext) throw new SignInRefused('insecure_connection');
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    // Only the log contains the response of the provider.
    request.log.warn({ err: error, code }, 'single sign-on failed');
    return redirect(reply, `${publicUrl}/sign-in?${signInProblemParameter}=${code}`);
  }
}

const providerCodes = {
  unavailable: 'provider_unavailable',
  cancelled: 'sign_in_cancelled',
  refused: 'sign_in_refused',
} as const;

/** Undefined for invalid requests and internal errors. */
function codeOf(error: unknown): SignInProblem | undefined {
  if (error instanceof SignInRefused) return error.code;
  if (error instanceof ProviderFault) return providerCodes[error.kind];
  const { code, status } = toProblem(error);
  if (code in signInProblems) return code as SignInProblem;
  return status === 409 || status === 503 ? 'busy' : undefined;
}
