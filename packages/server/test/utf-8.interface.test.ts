/** Text that is not UTF-8: rejected everywhere, replaced in logs, and never stored as U+FFFD. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../testing/cases/callbacks.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { exchange, responseIn } from '../testing/exchange.ts';
import { startTestServer, testPassword, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  await server.call('createCohort', { body: { label: 'Zürich 🧠' } });
});
afterAll(() => server.stop());

/** One byte per character. */
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const authorization = basic('admin', testPassword);

const send = async (method: string, path: string, bytes: string, type = 'application/json') => {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { authorization, 'content-type': type },
    body: bytesOf(bytes),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
  return { status: response.status, body: (await response.json()) as any };
};

const invalidSequences: [what: string, bytes: string][] = [
  ['a Latin-1 letter', '\xfc'],
  ['a continuation byte alone', '\x80'],
  ['an incomplete sequence', '\xe2\x82'],
  ['an overlong form of a slash', '\xc0\xaf'],
  ['an overlong form of NUL', '\xc0\x80'],
  ['a surrogate', '\xed\xa0\x80'],
  ['a code point above U+10FFFF', '\xf4\x90\x80\x80'],
  ['a byte that UTF-8 never uses', '\xff'],
];

describe('a body', () => {
  it.each(invalidSequences)('with %s is rejected with the name of the field', async (_what, bytes) => {
    const { status, body } = await send('POST', '/cohorts', `{"label": "x", "description": "${bytes}"}`);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors).toEqual([{ pointer: '/description', detail: expect.stringContaining('not UTF-8') }]);
    expect((await server.call('listCohorts')).body.cohorts).toHaveLength(1);
  });

  it('with an invalid name of a field is rejected', async () => {
    const { status, body } = await send('POST', '/cohorts', '{"label": "x", "\xfc": 1}');
    expect([status, body.errors[0].pointer]).toEqual([400, '/(a name)']);
  });

  it('that is invalid outside of a text is rejected', async () => {
    expect(await send('POST', '/cohorts', '{"label": "x"}\xff')).toMatchObject({
      status: 400,
      body: { code: 'malformed_request' },
    });
  });

  it('with a password that is not UTF-8 creates no user', async () => {
    const user = '{"username": "x", "email": "x@example.org", "password": "a long p\xe4ssword"}';
    const { status, body } = await send('POST', '/users', user);
    expect([status, body.errors[0].pointer]).toEqual([400, '/password']);
    expect(await server.sql(`select from users where username = 'x'`)).toEqual([]);
  });

  it.each(['config_definition', 'workflow_definition'])('with an invalid %s is rejected', async (name) => {
    const path = `/service/config/${name === 'config_definition' ? 'import-config' : 'import-workflow'}`;
    const { status, body } = await send('POST', path, `{"${name}": "scantypes: [{protocol: T\xb9}]"}`);
    expect([status, body.errors[0].pointer]).toEqual([400, `/${name}`]);
  });

  it('keeps a U+FFFD that the client sent', async () => {
    const { status, body } = await send('POST', '/cohorts', '{"label": "replacement", "description": "\xef\xbf\xbd"}');
    expect([status, body.description]).toEqual([201, '\uFFFD']);
  });

  it('keeps characters that are split between chunks', async () => {
    const [first, second] = ['{"label": "split", "description": "\xf0\x9f', '\xa7\xa0"}'];
    const received = await exchange(
      server.origin,
      `POST /api/v2/cohorts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${first.length.toString(16)}\r\n${first}\r\n`,
      `${second.length.toString(16)}\r\n${second}\r\n0\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 201/);
    const { body } = await server.call('getCohortByLabel', { params: { label: 'split' } });
    expect(body.description).toBe('🧠');
  });

  it('can start with a byte order mark', async () => {
    expect((await send('POST', '/cohorts', '\xef\xbb\xbf{"label": "marked"}')).status).toBe(201);
  });
});

describe('a log', () => {
  it.each([
    ['run_log', 'run_log'],
    ['result_log', 'result_log'],
    ['wait_log', 'result_log'],
  ])('in %s is stored with U+FFFD for invalid bytes', async (name, shown) => {
    const { id } = await execution(world);
    const bytes = `{"${name}": "a\xffb\xe2\x82c\xef\xbf\xbdd\xc3\xbc", "result_values": {"kept": "\xef\xbf\xbd"}}`;
    const { status, body } = await send('PUT', `/callback_executions/${id}`, bytes);
    expect([status, body[shown], body.result_values]).toEqual([200, 'a\uFFFDb\uFFFDc\uFFFDdü', { kept: '\uFFFD' }]);
  });

  it('does not excuse invalid bytes in another field', async () => {
    const { id } = await execution(world);
    const { status, body } = await send('PUT', `/callback_executions/${id}`, '{"run_log": "\xff", "result": "\xff"}');
    expect([status, body.errors[0].pointer]).toEqual([400, '/result']);
  });
});

describe('the charset of a body', () => {
  const body = '{"description": "Z\xc3\xbcrich"}';

  it.each(['utf-8', 'UTF-8', '"utf-8"', '"Utf-8"', 'utf8'])('can be %s', async (charset) => {
    const type = `application/json; charset=${charset}`;
    expect(await send('PUT', '/cohorts/1', body, type)).toMatchObject({ status: 200, body: { description: 'Zürich' } });
  });

  it.each([
    'application/json; charset=iso-8859-1',
    'application/json;charset="ISO-8859-1"',
    'application/json; Charset=utf-16',
    'application/json; charset=us-ascii',
    'application/json; charset=iso-8859-1; charset=utf-8',
    'application/merge-patch+json; charset=windows-1252',
  ])('in %s is rejected with 415', async (type) => {
    const { status, body: problem } = await send('PUT', '/cohorts/1', body, type);
    expect([status, problem.code]).toEqual([415, 'unsupported_media_type']);
    expect(problem.detail).toContain('UTF-8');
  });
});

describe('a body that is not JSON', () => {
  it('is quoted in the error with U+FFFD for invalid bytes', async () => {
    const { status, body } = await send('POST', '/cohorts', '\x1f\xff');
    expect([status, body.code]).toEqual([400, 'malformed_request']);
    expect(body.detail).toContain('\uFFFD');
    expect(body.detail.isWellFormed()).toBe(true);
  });
});

const get = async (path: string) => {
  const request = `GET /api/v2${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`;
  return responseIn(await exchange(server.origin, request));
};

describe('a URL', () => {
  it.each(['%ff', '%C0%AF', '%ED%A0%80', '%zz', '%', 'Z\xfcrich', 'Z\xc3\xbcrich'])(
    'with %j in its path is rejected',
    async (text) => {
      expect(await get(`/cohorts/by-label/${text}`)).toMatchObject({
        status: 400,
        body: { code: 'malformed_request' },
      });
    },
  );

  it.each(['%ff', '%C0%AF', '%ED%A0%80', '%zz', '100%'])(
    'with %j in its query is rejected with the name of the parameter',
    async (text) => {
      const { status, body } = await get(`/subjects?limit=1&cohort_label=${text}`);
      expect([status, body]).toMatchObject([400, { code: 'invalid_request', errors: [{ pointer: '?cohort_label' }] }]);
    },
  );

  it('is read as percent-encoded UTF-8', async () => {
    expect((await get('/cohorts/by-label/Z%C3%BCrich%20%F0%9F%A7%A0')).status).toBe(200);
    expect(await get('/subjects?cohort_label=100%25ff')).toMatchObject({ status: 200, body: { subjects: [] } });
  });
});

describe('HTTP Basic', () => {
  it('is rejected with 400 if the username or password is not UTF-8, even if U+FFFD is in the password', async () => {
    const password = 'an odd \uFFFD sentence';
    const user = { username: 'marked', email: 'm@example.org', password };
    expect((await server.call('createUser', { body: user })).status).toBe(201);
    const sign = (credentials: string) =>
      server.call('getSession', { as: null, headers: { authorization: `Basic ${btoa(credentials)}` } });
    expect((await sign('marked:an odd \xef\xbf\xbd sentence')).status).toBe(200);
    for (const credentials of ['marked:an odd \xff sentence', 'm\xe4rked:an odd sentence']) {
      const { status, body } = await sign(credentials);
      expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', 'Authorization']);
    }
  });
});

describe('a header', () => {
  it.each([
    ['X-Fields', 'GET', '{l\xe4bel}'],
    ['Idempotency-Key', 'PUT', 'k\xe4y'],
    ['If-Match', 'PUT', '"\xff"'],
  ])('%s with other characters than ASCII is rejected', async (name, method, value) => {
    const response = await fetch(`${server.baseUrl}/cohorts/1`, { method, headers: { authorization, [name]: value } });
    expect([response.status, ((await response.json()) as { errors: object[] }).errors]).toMatchObject([
      400,
      [{ pointer: name }],
    ]);
  });
});
