/** Security headers of every response, and which headers of a request are trusted. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../testing/exchange.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { signIn } from '../../testing/sessions.ts';

let server: TestServer;
let open: TestServer;
beforeAll(async () => {
  server = await startTestServer({ settings: { MILEPOST_TRUSTED_PROXIES: '127.0.0.1' } });
  open = await startTestServer({ settings: { MILEPOST_PUBLIC_URL: '' } });
});
afterAll(() => Promise.all([server.stop(), open.stop()]));

const authorization = () => basic('admin', testPassword);

/** One response of each kind: data, errors, an unknown path, a malformed path, health checks and the reference. */
const kinds: [path: string, status: number, signedIn?: boolean][] = [
  ['/api/v2/cohorts', 200, true],
  ['/api/v2/cohorts/999', 404, true],
  ['/api/v2/cohorts', 401],
  ['/api/v2/nothing', 404],
  ['/api/v2/cohorts/%ff', 400, true],
  ['/-/healthy', 200],
  ['/api/v2/openapi.json', 200],
  ['/api/v2/docs', 200],
  ['/nothing', 404],
];

const request = (path: string, signedIn = false, more: Record<string, string> = {}) =>
  fetch(server.origin + path, {
    redirect: 'manual',
    headers: { ...(signedIn && { authorization: authorization() }), ...more },
  });

describe('a response', () => {
  it.each(kinds)(
    'of %s (%i) has headers against framing, sniffing, scripts and referrers (V3.2.1, V3.4.3, V3.4.4, V3.4.5, V3.4.6)',
    async (path, status, signedIn) => {
      const answer = await request(path, signedIn);
      expect(answer.status).toBe(status);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
      );
      expect(policy).not.toMatch(/script-src|object-src/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  it.each(kinds)('of %s (%i) requires https for one year (V3.4.1)', async (path, _status, signedIn) => {
    const { headers } = await request(path, signedIn);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('does not require https if the server has no https address', async () => {
    expect((await fetch(`${open.origin}/-/healthy`)).headers.has('strict-transport-security')).toBe(false);
  });

  it.each(kinds)('of %s (%i) names its content type and character set (V4.1.1)', async (path, _status, signedIn) => {
    const answer = await request(path, signedIn);
    const type = answer.headers.get('content-type') ?? '';
    expect(type).toMatch(/^(?:application\/(?:problem\+)?json|text\/html); charset=utf-8$/);
    const text = await answer.text();
    if (type.startsWith('text/html')) expect(text).toMatch(/^<!doctype html>/i);
    else expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(kinds.filter(([path]) => path.startsWith('/api/v2/cohorts')))(
    'of %s (%i) is not stored by browsers or proxies (V14.2.2, V14.3.2)',
    async (path, _status, signedIn) => {
      expect((await request(path, signedIn)).headers.get('cache-control')).toBe('no-store');
    },
  );

  it.each(kinds)('of %s (%i) cannot be read by other origins (V3.4.2)', async (path, _status, signedIn) => {
    const origin = 'https://evil.example.org';
    const answer = await request(path, signedIn, { origin });
    const preflight = await fetch(server.origin + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
    for (const { headers } of [answer, preflight])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(preflight.ok).toBe(false);
  });

  it.each(kinds)(
    'of %s (%i) does not redirect a plain HTTP request to HTTPS (V4.1.2)',
    async (path, status, signedIn) => {
      const answer = await request(path, signedIn, { 'x-forwarded-proto': 'http' });
      expect([answer.status, answer.headers.get('location')]).toEqual([status, null]);
    },
  );
});

describe('a request', () => {
  it('is not echoed by TRACE (V13.4.4)', async () => {
    for (const path of ['/api/v2/cohorts', '/', '/-/healthy']) {
      const answer = await exchange(
        server.origin,
        `TRACE ${path} HTTP/1.1\r\nHost: x\r\nX-Canary: not-to-be-repeated\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 40[0145]/);
      expect(answer).not.toContain('not-to-be-repeated');
    }
  });

  it.each([
    ['two Content-Length headers', 'Content-Length: 4\r\nContent-Length: 44\r\n'],
    ['Content-Length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['chunked before another encoding', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a Content-Length that is not a number', 'Content-Length: +4\r\n'],
  ])('with %s cannot hide a second request (V4.2.1)', async (_what, lines) => {
    const hidden = 'GET /-/versions HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await exchange(
      server.origin,
      `POST /api/v2/session HTTP/1.1\r\nHost: x\r\n${lines}\r\n0\r\n\r\n${hidden}`,
    );
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 400']);
  });
});

/** The client address that the server recorded in a session. */
const addressOf = async (to: TestServer, forwarded: string) => {
  const { body } = await signIn(to, 'admin', { headers: { 'x-forwarded-for': forwarded } });
  const { body: list } = await to.call('listSessions');
  return (list.sessions as { id: number; address: string }[]).find(({ id }) => id === body.id)?.address;
};

/** Sends a wrong password through a proxy that adds the port to the address. */
const guess = async (port: number) => {
  const headers = { authorization: basic('nobody', `wrong ${port}`), 'x-forwarded-for': `192.0.2.9:${port}` };
  return (await request('/api/v2/session', false, headers)).status;
};

describe('the address of a client', () => {
  it('is the one that the trusted proxy added, not one that the client sent (V4.1.3, V15.3.4)', async () => {
    expect(await addressOf(server, '203.0.113.9, 192.0.2.7')).toBe('192.0.2.7');
  });

  it.each([
    ['the port that the proxy added', '203.0.113.9:4711, 192.0.2.7:4712', '192.0.2.7'],
    ['the port and brackets that the proxy added', '[2001:db8::7]:4711', '2001:db8::7'],
    ['the port of an earlier proxy', '192.0.2.7:4711, 127.0.0.1:4712', '192.0.2.7'],
  ])('is recorded without %s (V4.1.3, V15.3.4)', async (_what, forwarded, address) => {
    expect(await addressOf(server, forwarded)).toBe(address);
  });

  it.each(['unknown', '203.0.113.9, unknown:4711', '_hidden'])(
    'is that of the connection if the proxy added the invalid value %j (V4.1.3, V15.3.4)',
    async (forwarded) => {
      expect(await addressOf(server, forwarded)).toBe('127.0.0.1');
    },
  );

  it('counts as the same for the limit of failures if only the port differs (V6.3.1)', async () => {
    for (let port = 20_000; port < 20_010; port++) expect(await guess(port)).toBe(401);
    expect(await guess(20_010)).toBe(429);
  });

  it('is that of the connection if no proxy is trusted (V4.1.3, V15.3.4)', async () => {
    expect(await addressOf(open, '203.0.113.9')).toBe('127.0.0.1');
  });
});
