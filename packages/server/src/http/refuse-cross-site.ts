/**
 * A page of another site must not change anything with what the browser adds by itself: a cookie, or Basic credentials that
 * it remembers. Browsers say where a request comes from (`Sec-Fetch-Site`, older ones `Origin`); programs say nothing, and have
 * no cookie.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';

type Asked = Pick<FastifyRequest, 'method' | 'headers'>;

const isSafe = (method: string) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

const refuse = () =>
  new Problem(
    'cross_site',
    'A page of another site, or something that does not say where it comes from, sent this request in your name. Nothing was done.',
  );

/** For whoever: what a browser says is foreign stays out. `same-site` is foreign, too: a neighbouring host is not ours. */
export function refuseForeignPage({ method, headers }: Asked): void {
  const site = headers['sec-fetch-site'];
  if (!isSafe(method) && (site === 'cross-site' || site === 'same-site')) throw refuse();
}

/** For those who come by cookie: the request has to say that it is ours. `origins` are the addresses of our own pages. */
export function refuseUnlessOurs({ method, headers }: Asked, origins: readonly string[]): void {
  if (isSafe(method)) return;
  const { 'sec-fetch-site': site, origin = '' } = headers;
  const isOurs = site === undefined ? origins.includes(origin) : site === 'same-origin';
  if (!isOurs) throw refuse();
}
