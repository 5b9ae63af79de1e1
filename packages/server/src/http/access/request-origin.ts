/** Where a request comes from. */
import type { FastifyRequest } from 'fastify';
import { readCookie } from './session-cookie.ts';

export interface Client {
  /** As reported by the trusted proxies. */
  address: string;
  userAgent: string;
  /** Whether the connection is encrypted by https or stays on the caller's own machine. */
  isSecureContext: boolean;
  /** The token in the session cookie, whether or not the request uses it. */
  sessionToken: string | undefined;
}

const longestUserAgent = 300;

export const clientOf = (request: FastifyRequest): Client => new RequestClient(request);

/** Reads each value on demand, because few operations need one. */
class RequestClient implements Client {
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  get address() {
    return this.#request.ip;
  }

  get userAgent() {
    return (this.#request.headers['user-agent'] ?? '').slice(0, longestUserAgent);
  }

  get isSecureContext() {
    const { protocol, host, headers } = this.#request;
    // Origin is checked as well, because a proxy may have changed the host.
    return [`${protocol}://${host}`, headers.origin].every(
      (address) => address === undefined || isSecureContext(address),
    );
  }

  get sessionToken() {
    return readCookie(this.#request.headers.cookie);
  }
}

/** Like browsers, which accept a Secure cookie over https and from their own machine. */
function isSecureContext(address: string): boolean {
  const url = URL.parse(address);
  return (
    url?.protocol === 'https:' ||
    (url !== null && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
  );
}
