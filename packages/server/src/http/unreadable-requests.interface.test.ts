/** Requests that never reach a route: malformed ones, unknown methods, oversized parts, and connections that break. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectTo, exchange, responseIn } from '../../testing/exchange.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let lines: string[] = [];
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ logTo: { write: (line: string) => void lines.push(line) } });
});
afterAll(() => server.stop());
beforeEach(() => {
  lines = [];
});

const authorization = `Authorization: ${basic('admin', testPassword)}\r\n`;
const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\n${authorization}${more}\r\n`;
const closing = 'Connection: close\r\n';
const asJson = 'Content-Type: application/json\r\n';

const unreadable: [what: string, status: number, code: string, request: string][] = [
  ['an unknown method', 405, 'method_not_allowed', head('FETCH /api/v2/cohorts')],
  ['a method in lower case', 405, 'method_not_allowed', head('get /api/v2/cohorts')],
  ['the method CONNECT', 405, 'method_not_allowed', head('CONNECT example.org:443')],
  [
    'headers of more than 16 KiB',
    431,
    'headers_too_large',
    head('GET /api/v2/cohorts', `X: ${'x'.repeat(20_000)}\r\n`),
  ],
  ['a URL of more than 16 KiB', 431, 'headers_too_large', head(`GET /api/v2/cohorts?x=${'x'.repeat(20_000)}`)],
  ['an invalid character in a header', 400, 'malformed_request', head('GET /api/v2/cohorts', 'X: a\0b\r\n')],
  ['an invalid header name', 400, 'malformed_request', head('GET /api/v2/cohorts', 'X Y: z\r\n')],
  ['an invalid version', 400, 'malformed_request', 'GET /api/v2/cohorts HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['no Host', 400, 'malformed_request', 'GET /api/v2/cohorts HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [
    'an invalid chunk',
    400,
    'malformed_request',
    head('POST /api/v2/cohorts', `${asJson}Transfer-Encoding: chunked\r\n`) + 'zz\r\n',
  ],
  [
    'chunk extensions of more than 16 KiB',
    413,
    'body_too_large',
    `${head('POST /api/v2/cohorts', `${asJson}Transfer-Encoding: chunked\r\n`)}1;x=${'x'.repeat(20_000)}\r\n`,
  ],
  [
    'a part of the path with more than 4,096 characters',
    414,
    'path_too_long',
    head(`GET /api/v2/cohorts/by-label/${'x'.repeat(4097)}`, closing),
  ],
];

describe('a request', () => {
  it.each(unreadable)('with %s gets a problem object with %i %s', async (_what, status, code, request) => {
    const response = responseIn(await exchange(server.origin, request));
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ type: `urn:milepost:problem:${code}`, status, code, errors: [] });
    const { title, detail, instance, request_id: id } = response.body as Record<string, string>;
    expect([typeof title, typeof instance]).toEqual(['string', 'string']);
    expect(detail).toMatch(/^.{10,200}$/);
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('with an unknown method gets the supported methods in Allow', async () => {
    const { headers } = responseIn(await exchange(server.origin, head('FETCH /api/v2/cohorts')));
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'POST', 'PUT']);
  });

  it('that cannot be parsed is logged with its id and without its content', async () => {
    const request = head('FETCH /api/v2/cohorts', 'Cookie: secret=crumbs\r\n');
    const { headers } = responseIn(await exchange(server.origin, request));
    expect(logged()).toMatchObject([
      { level: 30, msg: 'request rejected', reqId: headers.get('x-request-id'), code: 'method_not_allowed' },
    ]);
    expect(lines.join('')).not.toMatch(/crumbs|Authorization|cohorts/i);
  });

  it('with an unknown expectation is served', async () => {
    const answer = await exchange(server.origin, head('GET /api/v2/cohorts', `${closing}Expect: a miracle\r\n`));
    expect(responseIn(answer)).toMatchObject({ status: 200, body: { cohorts: [] } });
  });

  it('gets its own response if the bytes after it cannot be parsed', async () => {
    const body = '{"label": "kept"}';
    const request = head('POST /api/v2/cohorts', `${asJson}Content-Length: ${body.length}\r\n`) + body;
    const received = await exchange(server.origin, `${request}garbage\r\n\r\n`);
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 201']);
    const { status } = await server.call('getCohortByLabel', { params: { label: 'kept' } });
    expect(status).toBe(200);
  });
});

describe('a client that disconnects in the middle of its body', () => {
  it.each([
    ['a Content-Length', 'Content-Length: 100\r\n', '{"label"'],
    ['chunks', 'Transfer-Encoding: chunked\r\n', '8\r\n{"label"\r\n'],
  ])('and sends %s is not reported as a failure of the database', async (_what, length, part) => {
    const disconnect = async () => {
      const socket = connectTo(server.origin);
      socket.write(head('POST /api/v2/cohorts', asJson + length) + part);
      // The server then usually has started to read the body.
      await server.call('listCohorts');
      socket.destroy();
      return logged().find(({ msg }) => msg === 'client disconnected');
    };
    await expect.poll(disconnect).toMatchObject({ level: 30, operation: 'createCohort' });
    expect(lines.join('')).not.toContain('database_unavailable');
  });
});
