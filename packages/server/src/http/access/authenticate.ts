/**
 * Identifies the sender of a request by HTTP Basic, an API token or a session cookie. Credentials in the header take precedence
 * over the cookie, which a browser sends on its own.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../database/connection.ts';
import { invalid, Problem } from '../../errors.ts';
import { accountOfToken } from './account-of-token.ts';
import { accountOfSession, type Usage } from './accounts.ts';
import { readToken } from './bearer.ts';
import type { Account, OpenSession } from '../call.ts';
import type { CredentialsCheck } from './check-credentials.ts';
import { deferAccount } from './deferred-account.ts';
import { requireSameOrigin } from './refuse-cross-site.ts';
import { hashToken, readCookie } from './session-cookie.ts';

export interface SignedIn {
  account: Account;
  /** Null if the request carries its own credentials. */
  session: OpenSession | null;
}

export type Authenticate = (
  request: Pick<FastifyRequest, 'method' | 'headers' | 'ip'>,
  usage?: Usage,
  /** Whether the row of the account may be read later. */
  defers?: boolean,
) => Promise<SignedIn>;

export interface AuthenticationMethods {
  checkCredentials: CredentialsCheck;
  db: Db;
  /** The origins of our own pages. */
  origins: () => string[];
}

export function createAuthentication(methods: AuthenticationMethods): Authenticate {
  return async (request, usage, defers = false) => {
    const { authorization, cookie } = request.headers;
    const token = readCookie(cookie);
    if (authorization !== undefined || token === undefined) {
      const { ip: address } = request;
      return { account: await accountOf(methods, { header: authorization, address, usage, defers }), session: null };
    }
    requireSameOrigin(request, methods.origins());
    const found = await accountOfSession(methods.db, hashToken(token), usage);
    if (!found) throw new Problem('session_ended', 'Your session has ended. Sign in again.');
    return found;
  };
}

interface Sender {
  header: string | undefined;
  address: string;
  usage: Usage | undefined;
  defers: boolean;
}

/** Authenticates by the header Authorization. */
async function accountOf(methods: AuthenticationMethods, { header, address, usage, defers }: Sender): Promise<Account> {
  const token = readToken(header);
  if (token === undefined) {
    const credentials = { ...readBasic(header), address };
    const check = () => methods.checkCredentials(credentials);
    const recalled = defers ? methods.checkCredentials.recall(credentials) : undefined;
    return recalled ? deferAccount(recalled, check) : check();
  }
  const account = await accountOfToken(methods.db, hashToken(token), usage);
  if (!account) throw new Problem('wrong_credentials', 'This API token does not exist.');
  return account;
}

function readBasic(header: string | undefined): { login: string; password: string } {
  if (header === undefined) {
    throw new Problem(
      'not_signed_in',
      'Sign in with HTTP Basic (username or e-mail address, and password), or send an API token.',
    );
  }
  const bytes = Buffer.from(/^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1] ?? '', 'base64');
  if (!isUtf8(bytes)) {
    const detail = 'The username or password in the header Authorization is not UTF-8.';
    throw invalid({ pointer: 'Authorization', detail });
  }
  const text = bytes.toString();
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) {
    throw new Problem('wrong_credentials', 'The header Authorization is invalid. Use HTTP Basic or an API token.');
  }
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
