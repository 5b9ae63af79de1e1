/**
 * Rejects changes by pages of other sites, which would use what the browser adds on its own: a cookie or remembered Basic
 * credentials. Browsers name the source of a request (`Sec-Fetch-Site`, older ones `Origin`). Programs send neither, and no
 * cookie.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors.ts';

type Received = Pick<FastifyRequest, 'method' | 'headers'>;

const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

const crossSite = () =>
  new Problem('cross_site', 'This request came from another site, or does not state its origin. Nothing was changed.');

/** For all callers. `same-site` is rejected as well, because another host of the domain is not ours. */
export function refuseCrossSite({ method, headers }: Received): void {
  const site = headers['sec-fetch-site'];
  if (!isSafe(method) && (site === 'cross-site' || site === 'same-site')) throw crossSite();
}

/** For requests with a session cookie: they must come from our own pages, whose addresses are `origins`. */
export function requireSameOrigin({ method, headers }: Received, origins: readonly string[]): void {
  if (isSafe(method)) return;
  const { 'sec-fetch-site': site, origin = '' } = headers;
  const isSameOrigin = site === undefined ? origins.includes(origin) : site === 'same-origin';
  if (!isSameOrigin) throw crossSite();
}
