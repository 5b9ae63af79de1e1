/**
 * Who sends a request: HTTP Basic, the token of an account, or the cookie of a session. Credentials that are sent on purpose
 * win over the cookie, which a browser sends by itself.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import { readToken } from './bearer.ts';
import type { Account, CheckCredentials, OpenSession } from './call.ts';
import { refuseUnlessOurs } from './refuse-cross-site.ts';
import { hashToken, readCookie } from './session-cookie.ts';

export interface SignedIn {
  account: Account;
  /** Null for those who send their credentials with each request. */
  session: OpenSession | null;
}

/** Whether the session or the token is being used, or only looked at. */
export interface Asking {
  isUse: boolean;
}

export type Authenticate = (
  request: Pick<FastifyRequest, 'method' | 'headers' | 'ip'>,
  asking?: Asking,
) => Promise<SignedIn>;

export interface Ways {
  checkCredentials: CheckCredentials;
  /** The account behind an API token, by its hash; throws where the token is over. */
  findTokenAccount: (tokenHash: Buffer, asking?: Asking) => Promise<Account | undefined>;
  /** The open session of a token, by its hash, and whose it is. */
  findSession: (tokenHash: Buffer, asking?: Asking) => Promise<{ account: Account; session: OpenSession } | undefined>;
  /** The addresses of our own pages. */
  origins: () => string[];
}

export function createAuthentication(ways: Ways): Authenticate {
  return async (request, asking) => {
    const { authorization, cookie } = request.headers;
    const token = readCookie(cookie);
    if (authorization !== undefined || token === undefined) {
      return { account: await accountOf(ways, authorization, request.ip, asking), session: null };
    }
    refuseUnlessOurs(request, ways.origins());
    const found = await ways.findSession(hashToken(token), asking);
    if (!found) throw new Problem('session_ended', 'Your session has ended. Sign in again.');
    return found;
  };
}

/** By credentials that each request carries itself. */
async function accountOf(ways: Ways, header: string | undefined, address: string, asking?: Asking): Promise<Account> {
  const token = readToken(header);
  if (token === undefined) return ways.checkCredentials({ ...readBasic(header), address });
  const account = await ways.findTokenAccount(hashToken(token), asking);
  if (!account) throw new Problem('wrong_credentials', 'There is no such token.');
  return account;
}

function readBasic(header: string | undefined): { login: string; password: string } {
  if (header === undefined) {
    throw new Problem(
      'not_signed_in',
      'Sign in with HTTP Basic: your username or e-mail, and your password. Programs may send a token.',
    );
  }
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) {
    throw new Problem(
      'wrong_credentials',
      'The header Authorization could not be read: HTTP Basic or a token is expected.',
    );
  }
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
