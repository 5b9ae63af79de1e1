/**
 * Who sends a request: HTTP Basic, or the cookie of a session. Credentials that are sent on purpose win over the cookie, which
 * a browser sends by itself.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import type { Account, CheckCredentials, OpenSession } from './call.ts';
import { refuseUnlessOurs } from './refuse-cross-site.ts';
import { hashToken, readCookie } from './session-cookie.ts';

export interface SignedIn {
  account: Account;
  /** Null for those who send their credentials with each request. */
  session: OpenSession | null;
}

/** Whether the session is being used, or only looked at. */
export interface Asking {
  isUse: boolean;
}

export type Authenticate = (
  request: Pick<FastifyRequest, 'method' | 'headers' | 'ip'>,
  asking?: Asking,
) => Promise<SignedIn>;

export interface Ways {
  checkCredentials: CheckCredentials;
  /** The open session of a token, by its hash, and whose it is. */
  findSession: (tokenHash: Buffer, asking?: Asking) => Promise<{ account: Account; session: OpenSession } | undefined>;
  /** The addresses of our own pages. */
  origins: () => string[];
}

export function createAuthentication({ checkCredentials, findSession, origins }: Ways): Authenticate {
  return async (request, asking) => {
    const { authorization, cookie } = request.headers;
    const token = readCookie(cookie);
    if (authorization !== undefined || token === undefined) {
      const account = await checkCredentials({ ...readBasic(authorization), address: request.ip });
      return { account, session: null };
    }
    refuseUnlessOurs(request, origins());
    const found = await findSession(hashToken(token), asking);
    if (!found) throw new Problem('session_ended', 'Your session has ended. Sign in again.');
    return found;
  };
}

function readBasic(header: string | undefined): { login: string; password: string } {
  if (header === undefined) {
    throw new Problem('not_signed_in', 'Sign in with HTTP Basic: your username or e-mail, and your password.');
  }
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) {
    throw new Problem('wrong_credentials', 'The header Authorization could not be read: HTTP Basic is expected.');
  }
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
