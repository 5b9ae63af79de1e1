/** How every operation handles methods, paths, bodies and headers. */
import { basic, operations, type Operation } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, responseIn } from '../testing/exchange.ts';
import { startTestServer, testPassword, type TestServer } from '../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('createCohort', { body: { label: 'home' } });
});
afterAll(() => server.stop());

const authorization = basic('admin', testPassword);
const json = 'application/json';
const send = (method: string, path: string, options: { body?: string; type?: string } = {}) =>
  fetch(server.baseUrl + path, {
    method,
    headers: { authorization, ...(options.type !== undefined && { 'content-type': options.type }) },
    ...(options.body !== undefined && { body: options.body }),
  });
const problem = async (response: Response) => ({ ...((await response.json()) as object), status: response.status });

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY'];
const methodsByPath = new Map<string, string[]>();
for (const { method, path } of Object.values<Operation>(operations)) {
  methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);
}
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, '1');

describe('an unsupported method', () => {
  it.each([...methodsByPath])('at %s returns 405 and the supported methods in Allow', async (path, supported) => {
    const allowed = supported.includes('GET') ? [...supported, 'HEAD'] : supported;
    for (const method of methods.filter((other) => !supported.includes(other))) {
      const response = await send(method, filled(path));
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted());
      expect(await problem(response)).toMatchObject({ code: 'method_not_allowed', instance: `/api/v2${filled(path)}` });
    }
  });
});

describe('HEAD', () => {
  const readable = [...methodsByPath].filter(([, supported]) => supported.includes('GET')).map(([path]) => path);
  it.each(readable)('%s returns the status and headers of GET without a body', async (path) => {
    const [head, get] = [await send('HEAD', filled(path)), await send('GET', filled(path))];
    expect(head.status).toBe(get.status);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'link']) expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

describe('GET', () => {
  it('changes nothing at any path (V3.5.3)', async () => {
    const tables = await server.sql<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    /** The last transaction that wrote each row. */
    const written = () =>
      Promise.all(
        tables.map(({ name }) => server.sql(`select '${name}', ctid::text, xmin::text from ${name} order by 2`)),
      );
    const before = await written();
    for (const [path, supported] of methodsByPath) {
      if (!supported.includes('GET')) continue;
      const answer = await send('GET', filled(path));
      expect(answer.status).toBeLessThan(500);
      await answer.body?.cancel();
    }
    expect(await written()).toEqual(before);
    expect(before.flat().length).toBeGreaterThan(10);
  });
});

describe('an unknown path', () => {
  it.each(['/cohort', '/cohorts/1/2', '/scan', '/cohorts/1/subjects/2/3', '/'])(
    'such as %s returns 404',
    async (path) => {
      for (const method of ['GET', 'PUT']) {
        expect(await problem(await send(method, path))).toMatchObject({ status: 404, code: 'no_such_path' });
      }
    },
  );
});

/** The headers of an empty body, and the last chunk if it is sent in chunks. */
const emptyBodies = [
  'Content-Length: 0\r\n',
  ...['application/json', 'application/x-www-form-urlencoded', 'text/plain; charset=iso-8859-1', 'json', ''].flatMap(
    (type) => [
      `Content-Type: ${type}\r\nContent-Length: 0\r\n`,
      `Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n`,
    ],
  ),
  'Transfer-Encoding: chunked\r\n\r\n0\r\n',
];

const operationsWithRequiredFields = Object.entries<Operation>(operations).filter(
  ([, { body, access }]) => body?.required?.length && access.kind !== 'public',
);

const sendLines = async (line: string, lines: string) => {
  const [method, path] = line.split(' ');
  const head = `${method} /api/v2${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n`;
  return responseIn(await exchange(server.origin, `${head}${lines}\r\n`));
};

describe('a body', () => {
  it.each([
    ['that is not JSON', '{"label": ', json, { status: 400, code: 'malformed_request' }],
    ['with a trailing comma', '{"label": "x",}', json, { status: 400, code: 'malformed_request' }],
    ['that is empty', '', json, { status: 400, code: 'invalid_request' }],
    [
      'of an unsupported type',
      'label=x',
      'application/x-www-form-urlencoded',
      { status: 415, code: 'unsupported_media_type' },
    ],
    ['of plain text', '{"label": "x"}', 'text/plain', { status: 415, code: 'unsupported_media_type' }],
    ['of more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, json, { status: 413, code: 'body_too_large' }],
    ['nested 40 levels deep', '['.repeat(40) + ']'.repeat(40), json, { status: 400, code: 'invalid_request' }],
    ['nested 100,000 levels deep', '['.repeat(100_000) + ']'.repeat(100_000), json, { status: 400 }],
    ['with the field __proto__', '{"label": "x", "__proto__": {}}', json, { status: 400, code: 'invalid_request' }],
  ])('%s is rejected, and nothing is stored (V2.2.1)', async (_what, body, type, expected) => {
    expect(await problem(await send('POST', '/cohorts', { body, type }))).toMatchObject(expected);
    expect((await server.call('listCohorts')).body.cohorts).toHaveLength(1);
  });

  it.each(['gzip', 'br', 'gzip, identity'])('is rejected if its Content-Encoding is %s', async (encoding) => {
    const headers = { authorization, 'content-type': json, 'content-encoding': encoding };
    const options = { method: 'POST', headers, body: '{"label": "compressed"}' };
    const answer = await problem(await fetch(`${server.baseUrl}/cohorts`, options));
    expect(answer).toMatchObject({ status: 415, detail: expect.stringContaining(`Content-Encoding is ${encoding}.`) });
  });

  it('is accepted with a media type that ends in +json or has a charset', async () => {
    for (const type of ['application/merge-patch+json', 'application/json; charset=utf-8']) {
      const response = await send('PUT', '/cohorts/1', { body: '{"description": "x"}', type });
      expect(response.status).toBe(200);
    }
  });

  it('can be absent, empty, null or {} if the operation has no body', async () => {
    for (const options of [{}, { body: '', type: json }, { body: '{}', type: json }, { body: 'null', type: json }]) {
      expect((await send('PUT', '/users/admin/roles/user', options)).status).toBe(200);
    }
  });

  it.each(emptyBodies)('can be empty if no field is required: %j', async (lines) => {
    for (const line of [
      'POST /service/check_timeouts',
      'PUT /users/admin/roles/user',
      'DELETE /users/admin/roles/user',
    ]) {
      expect(await sendLines(line, lines)).toMatchObject({ status: 200 });
    }
    expect(await sendLines('PUT /cohorts/1', lines)).toMatchObject({ status: 200 });
  });

  it.each(emptyBodies)('cannot be empty if fields are required, and the error names them: %j', async (lines) => {
    const { status, body } = await sendLines('POST /subjects', lines);
    expect([status, body]).toMatchObject([400, { errors: [{ pointer: '/label' }, { pointer: '/cohort_label' }] }]);
  });

  it.each(operationsWithRequiredFields)('cannot be empty for %s', async (_name, { method, path, body }) => {
    const answer = await sendLines(`${method} ${filled(path)}`, 'Content-Length: 0\r\n');
    const pointers = (answer.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    expect([answer.status, pointers]).toEqual([
      400,
      expect.arrayContaining(body?.required?.map((name) => `/${name}`) ?? []),
    ]);
  });

  it('with content is rejected by an operation that has no body', async () => {
    for (const body of ['{"role": "user"}', '[1]', '"x"', '0']) {
      expect((await send('PUT', '/users/admin/roles/user', { body, type: json })).status).toBe(400);
    }
  });

  it('of an unauthenticated request is not read', async () => {
    const response = await fetch(`${server.baseUrl}/cohorts`, {
      method: 'POST',
      headers: { 'content-type': json },
      body: '{',
    });
    expect(response.status).toBe(401);
  });
});

describe('a response', () => {
  it('with an error has the same request id in its header and its body', async () => {
    const response = await send('GET', '/cohorts/0');
    const { request_id: id } = (await response.json()) as { request_id: string };
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-request-id')).toBe(id);
  });

  it('with an error has the same text in `detail` and `message`', async () => {
    const { detail, message } = (await (await send('GET', '/cohorts/0')).json()) as Record<string, string>;
    expect([detail, message]).toEqual(Array(2).fill('No object with id "0".'));
  });

  it('reports all errors in the body of a request', async () => {
    const body = JSON.stringify({ lable: 'x', description: 5 });
    const { errors } = (await (await send('POST', '/cohorts', { body, type: json })).json()) as {
      errors: { pointer: string }[];
    };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/description', '/label', '/lable']);
  });

  it('contains resource URLs based on MILEPOST_PUBLIC_URL, never on request headers', async () => {
    const response = await fetch(`${server.baseUrl}/subjects`, {
      method: 'POST',
      headers: { authorization, 'content-type': json, 'x-forwarded-host': 'evil.example.org' },
      body: JSON.stringify({ label: 's', cohort_label: 'home' }),
    });
    const { api_uri: apiUri, web_uri: webUri } = (await response.json()) as { api_uri: string; web_uri: string };
    expect(apiUri).toMatch(/^https:\/\/milepost\.example\.org\/api\/v2\/subjects\/\d+$/);
    expect(webUri).toMatch(/^https:\/\/milepost\.example\.org\/subjects\/\d+$/);
  });
});
