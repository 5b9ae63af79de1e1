/**
 * Single sign-on by OpenID Connect (docs/decisions/0033). Two addresses for browsers, outside the interface: one sends them to the
 * provider, to the other they come back. Whatever goes wrong leads to the page of sign-in with a short code, which that page
 * puts into words; nothing that the provider wrote is shown.
 */
import {
  signInProblemParameter,
  signInProblems,
  singleSignOnCallbackPath,
  singleSignOnPath,
  type SignInProblem,
} from '@milepost/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { OidcProvider } from '../config/oidc.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { enterByIdentity, SignInRefused } from '../engine/people/enter-by-identity.ts';
import { clientOf } from '../http/client.ts';
import { failureLimit, type FailureLimit } from '../http/failure-limit.ts';
import { networkOf } from '../http/network-of.ts';
import { toProblem } from '../http/problem.ts';
import { createToken, hashToken, settingCookie } from '../http/session-cookie.ts';
import * as cookies from '../http/sign-in-cookie.ts';
import {
  createOpenIdProvider,
  ProviderFault,
  type OpenIdProvider,
  type ProvenIdentity,
} from '../outgoing/openid-provider.ts';
import { insertBegunSignIn, takeBegunSignIn } from '../store/begun-sign-ins.ts';
import { countFailures } from '../store/sign-in-failures.ts';
import { readReturnTo } from './read-return-to.ts';
import { beginSession } from './sessions.ts';

export const singleSignOnPaths = ({ oidc }: Config) => (oidc ? [singleSignOnPath, singleSignOnCallbackPath] : []);

export interface SingleSignOn {
  /** What the provider is called. */
  name: string;
  /** Where a browser begins. */
  uri: string;
}

export const singleSignOnOf = ({ oidc }: Config): SingleSignOn | null =>
  oidc ? { name: oidc.name, uri: singleSignOnPath } : null;

interface Parts {
  database: Database;
  publicUrl: string;
  settings: OidcProvider;
  provider: OpenIdProvider;
  /** Of those that begin: each leaves a row until it ends. */
  begun: FailureLimit;
}

/** In 15 minutes from one address, behind which a whole hospital may sit: what one of its people begins must not close it to all. */
const mostBegun = 5000;

export function mountSingleSignOn(
  app: FastifyInstance,
  { oidc, publicUrl, outside }: Config,
  database: Database,
): void {
  if (!oidc || publicUrl === undefined) return;
  const redirectUri = publicUrl + singleSignOnCallbackPath;
  const provider = createOpenIdProvider({ provider: oidc, redirectUri, allow: outside.allow });
  const begun = failureLimit(countFailures(database.db, mostBegun), () => new SignInRefused('too_many_sign_ins'));
  const parts = { database, publicUrl, settings: oidc, provider, begun };
  app.get(singleSignOnPath, { config: { operation: 'beginSingleSignOn' } }, (request, reply) =>
    leadBack(parts, request, reply, () => begin(parts, request, reply)),
  );
  app.get(singleSignOnCallbackPath, { config: { operation: 'signInWithProvider' } }, (request, reply) =>
    leadBack(parts, request, reply, () => comeBack(parts, request, reply)),
  );
}

const go = (reply: FastifyReply, where: string) => reply.code(303).header('location', where).send();

const pairOf = (request: FastifyRequest) => `${networkOf(clientOf(request).address)}\0single sign-on begun`;

async function begin({ database, provider, begun }: Parts, request: FastifyRequest, reply: FastifyReply) {
  const returnTo = readReturnTo((request.query as Record<string, unknown>)['return_to']);
  // Who is known to the provider would come in without a word. Led here by another site, they are shown the page of sign-in first.
  if (/^(?:cross|same)-site$/.test(String(request.headers['sec-fetch-site'])))
    throw new SignInRefused('sign_in_expired');
  const secret = createToken();
  const where = await begun.count(pairOf(request), async () => {
    const found = await provider.beginAt(cookies.secretsOf(secret));
    await insertBegunSignIn(database.db, hashToken(secret), returnTo);
    return found;
  });
  return go(reply.header('set-cookie', cookies.settingSignInCookie(secret)), where);
}

/** No transaction is open while the provider is asked: a slow one holds up nobody else. */
async function comeBack(parts: Parts, request: FastifyRequest, reply: FastifyReply) {
  const { database, publicUrl, provider, begun } = parts;
  const cameBackTo = new URL(publicUrl + singleSignOnCallbackPath + searchOf(request.url));
  const secret = cookies.readSignInCookie(request.headers.cookie) ?? '';
  const secrets = cookies.secretsOf(secret);
  // Another browser's, or another sign-in's: the one that this browser has begun, if any, goes on.
  if (!cookies.isState(cameBackTo.searchParams.get('state'), secrets.state)) throw new SignInRefused('sign_in_expired');
  reply.header('set-cookie', cookies.clearingSignInCookie);
  const returnTo = await takeBegunSignIn(database.db, hashToken(secret));
  if (returnTo === undefined) throw new SignInRefused('sign_in_expired');
  const token = await enter(parts, request, await provider.prove(cameBackTo, secrets));
  await begun.forget(pairOf(request));
  return go(reply.header('set-cookie', settingCookie(token)), publicUrl + returnTo);
}

const searchOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** The account, its roles and its session in one transaction: all of it, or nobody came in. */
async function enter(
  { database, settings }: Parts,
  request: FastifyRequest,
  identity: ProvenIdentity,
): Promise<string> {
  const token = createToken();
  await inTransaction(database.db, async (tx) => {
    const userId = await enterByIdentity(tx, { identity, map: settings, requestId: request.id });
    const author = { kind: 'user' as const, id: userId, requestId: request.id, operation: 'signInWithProvider' };
    await beginSession(tx, { userId, token, client: clientOf(request), author });
  });
  return token;
}

async function leadBack(
  { publicUrl }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    // A browser would not keep the cookies, and somebody else could.
    if (!clientOf(request).isPrivate) throw new SignInRefused('insecure_connection');
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    // What the provider said is for those who run the server.
    request.log.warn({ err: error, code }, 'single sign-on did not succeed');
    return go(reply, `${publicUrl}/sign-in?${signInProblemParameter}=${code}`);
  }
}

const ofProvider = {
  unavailable: 'provider_unavailable',
  cancelled: 'sign_in_cancelled',
  refused: 'sign_in_refused',
} as const;

/** Undefined for what is a fault of the request itself, or of ours. */
function codeOf(error: unknown): SignInProblem | undefined {
  if (error instanceof SignInRefused) return error.code;
  if (error instanceof ProviderFault) return ofProvider[error.kind];
  const { code, status } = toProblem(error);
  if (code in signInProblems) return code as SignInProblem;
  return status === 409 || status === 503 ? 'busy' : undefined;
}
