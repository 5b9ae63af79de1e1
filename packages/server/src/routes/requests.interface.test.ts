/** What every operation does alike with methods, paths, bodies and headers. */
import { basic, type Operation } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { builtOperations } from '../app.ts';

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
/** The methods of each path. */
const taken = new Map<string, string[]>();
for (const { method, path } of Object.values<Operation>(builtOperations)) {
  taken.set(path, [...(taken.get(path) ?? []), method]);
}
const filled = (path: string) => path.replaceAll(/\{\w+\}/g, '1');

describe('a method that a path does not take', () => {
  it.each([...taken])('at %s, which takes %j, is 405 with those in Allow', async (path, its) => {
    const allowed = its.includes('GET') ? [...its, 'HEAD'] : its;
    for (const method of methods.filter((other) => !its.includes(other))) {
      const response = await send(method, filled(path));
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted());
      expect(await problem(response)).toMatchObject({ code: 'method_not_allowed', instance: `/api/v2${filled(path)}` });
    }
  });
});

describe('HEAD', () => {
  const readable = [...taken].filter(([, its]) => its.includes('GET')).map(([path]) => path);
  it.each(readable)('%s answers the status and headers of GET, and no body', async (path) => {
    const [head, get] = [await send('HEAD', filled(path)), await send('GET', filled(path))];
    expect(head.status).toBe(get.status);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'link']) expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

describe('GET', () => {
  it('of everything that is there changes nothing (V3.5.3)', async () => {
    const tables = await server.sql<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    /** The transaction that wrote each row last. */
    const written = () =>
      Promise.all(
        tables.map(({ name }) => server.sql(`select '${name}', ctid::text, xmin::text from ${name} order by 2`)),
      );
    const before = await written();
    for (const [path, its] of taken) {
      if (!its.includes('GET')) continue;
      const answer = await send('GET', filled(path));
      expect(answer.status).toBeLessThan(500);
      await answer.body?.cancel();
    }
    expect(await written()).toEqual(before);
    expect(before.flat().length).toBeGreaterThan(10);
  });
});

describe('a path that nothing is at', () => {
  it.each(['/cohort', '/cohorts/1/2', '/scan', '/cohorts/1/subjects/2/3', '/'])('%s is 404', async (path) => {
    for (const method of ['GET', 'PUT']) {
      expect(await problem(await send(method, path))).toMatchObject({ status: 404, code: 'no_such_path' });
    }
  });
});

describe('a body', () => {
  it.each([
    ['that is no JSON', '{"label": ', json, { status: 400, code: 'malformed_request' }],
    ['with a comma too many', '{"label": "x",}', json, { status: 400, code: 'malformed_request' }],
    ['that is empty', '', json, { status: 400, code: 'invalid_request' }],
    [
      'of another type',
      'label=x',
      'application/x-www-form-urlencoded',
      { status: 415, code: 'unsupported_media_type' },
    ],
    ['of plain text', '{"label": "x"}', 'text/plain', { status: 415, code: 'unsupported_media_type' }],
    ['of more than 1 MiB', `"${'x'.repeat(1024 * 1024)}"`, json, { status: 413, code: 'body_too_large' }],
    ['nested 40 deep', '['.repeat(40) + ']'.repeat(40), json, { status: 400, code: 'invalid_request' }],
    ['nested 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000), json, { status: 400 }],
    ['with the name __proto__', '{"label": "x", "__proto__": {}}', json, { status: 400, code: 'invalid_request' }],
  ])('%s is refused, and nothing is stored (V2.2.1)', async (_what, body, type, expected) => {
    expect(await problem(await send('POST', '/cohorts', { body, type }))).toMatchObject(expected);
    expect((await server.call('listCohorts')).body.cohorts).toHaveLength(1);
  });

  it('of a JSON type with a suffix, or with a charset, is read', async () => {
    for (const type of ['application/merge-patch+json', 'application/json; charset=utf-8']) {
      const response = await send('PUT', '/cohorts/1', { body: '{"description": "x"}', type });
      expect(response.status).toBe(200);
    }
  });

  it('is not needed where none is specified: none, an empty one and an empty object are fine', async () => {
    for (const options of [{}, { body: '', type: json }, { body: '{}', type: json }, { body: 'null', type: json }]) {
      expect((await send('PUT', '/users/admin/roles/user', options)).status).toBe(200);
    }
  });

  it('where none is specified is 400', async () => {
    for (const body of ['{"role": "user"}', '[1]', '"x"', '0']) {
      expect((await send('PUT', '/users/admin/roles/user', { body, type: json })).status).toBe(400);
    }
  });

  it('of a stranger is not even read', async () => {
    const response = await fetch(`${server.baseUrl}/cohorts`, {
      method: 'POST',
      headers: { 'content-type': json },
      body: '{',
    });
    expect(response.status).toBe(401);
  });
});

describe('every answer', () => {
  it('carries the id under which the log knows the request, and so does the problem', async () => {
    const response = await send('GET', '/cohorts/0');
    const { request_id: id } = (await response.json()) as { request_id: string };
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-request-id')).toBe(id);
  });

  it('tells every fault of a body at once', async () => {
    const body = JSON.stringify({ lable: 'x', description: 5 });
    const { errors } = (await (await send('POST', '/cohorts', { body, type: json })).json()) as {
      errors: { pointer: string }[];
    };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/description', '/label', '/lable']);
  });

  it('names paths of resources from the setting, never from the header Host', async () => {
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
