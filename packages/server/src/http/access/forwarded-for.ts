/**
 * Some proxies append the port to an address in `X-Forwarded-For`. Each connection would then look like a different client, and
 * no limit would apply. This keeps only the addresses, before any other code reads the header.
 */
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';

export function readForwardedFor(http: FastifyInstance): void {
  http.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = onlyAddresses(forwarded);
    done();
  });
}

/** Each proxy appends one address. Everything before an entry that is not an address is untrusted and dropped. */
export function onlyAddresses(forwarded: string): string {
  const parts = forwarded.split(',').map((part) => withoutPort(part.trim()));
  return parts.slice(parts.findLastIndex((part) => isIP(part) === 0) + 1).join(', ');
}

/** Accepts `192.0.2.7:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const withoutPort = (part: string): string =>
  /^([\d.]+):\d+$/.exec(part)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(part)?.[1] ?? part;
