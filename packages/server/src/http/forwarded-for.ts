/**
 * Some proxies write the port of the connection behind an address in `X-Forwarded-For`: as they stand, each connection would be a
 * caller of its own, and no limit would hold. Only addresses are left of the header before anybody reads it.
 */
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

export function readForwardedFor(http: FastifyInstance): void {
  http.addHook('onRequest', async ({ raw: { headers } }) => {
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = onlyAddresses(forwarded);
  });
}

/** Each proxy adds one at the end. What stands before something that is no address was told by nobody who is known: it goes. */
export function onlyAddresses(forwarded: string): string {
  const parts = forwarded.split(',').map((part) => withoutPort(part.trim()));
  return parts.slice(parts.findLastIndex((part) => isIP(part) === 0) + 1).join(', ');
}

/** `192.0.2.7:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const withoutPort = (part: string): string =>
  /^([\d.]+):\d+$/.exec(part)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(part)?.[1] ?? part;
