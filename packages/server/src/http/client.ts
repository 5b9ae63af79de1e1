/** Where a request comes from, as far as it can be known. */
import type { FastifyRequest } from 'fastify';
import { readCookie } from './session-cookie.ts';

export interface Client {
  /** As the trusted proxies tell it. */
  address: string;
  userAgent: string;
  /** Whether nobody on the way can read along: https, or not further than the caller's own machine. */
  isPrivate: boolean;
  /** The token of the cookie that came along, whether or not anything looks at it. */
  sessionToken: string | undefined;
}

const longestUserAgent = 300;

export const clientOf = ({ ip, headers, protocol, host }: FastifyRequest): Client => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, longestUserAgent),
  // A page says where it is itself: a proxy between it and us may have called us by another name.
  isPrivate: [`${protocol}://${host}`, headers.origin].every((address) => address === undefined || isPrivate(address)),
  sessionToken: readCookie(headers.cookie),
});

/** As browsers see it: they keep a Secure cookie for https, and for the machine that they run on. */
function isPrivate(address: string): boolean {
  const url = URL.parse(address);
  return (
    url?.protocol === 'https:' ||
    (url !== null && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
  );
}
