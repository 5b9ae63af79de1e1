/** Tests the function `http` with a server that responds, fails, hangs or sends garbage. */
import { cutMark } from '../cut-text.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing, outgoingLimits } from '../outgoing/create-outgoing.ts';
import { PermanentFailure, TemporaryFailure, type Run } from './callback-function.ts';
import { createFunctions } from './index.ts';

let server: WebServer;
beforeAll(async () => {
  server = await startWebServer();
});
afterAll(() => server.stop());

const http = (run: Run, limits = outgoingLimits) => {
  const outgoing = createOutgoing({ allow: [readAllowedTarget(server.origin)], limits });
  return createFunctions({ outgoing, mail: undefined, commands: new Map(), taskFolder: undefined }).http(run);
};
const call = (path: string, more: Record<string, unknown> = {}) => {
  const made = makeRun({ url: server.origin + path, ...more });
  return { ...made, ended: http(made.run) };
};

describe('a request', () => {
  it('is a POST with the execution and the attempt in its headers', async () => {
    const { ended } = call('/echo');
    expect(await ended).toMatchObject({
      result: 'success',
      values: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { method: 'POST', body: '', headers: { 'x-milepost-execution': '7', 'x-milepost-attempt': '2' } },
      },
    });
  });

  it.each([
    [{ a: [1, null] }, 'application/json', '{"a":[1,null]}'],
    [['x'], 'application/json', '["x"]'],
    [false, 'application/json', 'false'],
    ['größer', 'text/plain; charset=utf-8', 'größer'],
  ])('sends the body %j as %s', async (body, type, text) => {
    await call('/echo', { body, method: 'PUT' }).ended;
    expect(server.received.at(-1)).toMatchObject({ method: 'PUT', body: text, headers: { 'content-type': type } });
  });

  it('has no body if the argument body is null', async () => {
    await call('/echo', { body: null }).ended;
    expect(server.received.at(-1)?.body).toBe('');
    expect(server.received.at(-1)?.headers).not.toHaveProperty('content-type');
  });

  it('has the given headers, but X-Milepost-Execution cannot be overridden', async () => {
    const headers = { 'Content-Type': 'text/xml', 'X-Depth': 1, 'X-Milepost-Execution': '8' };
    await call('/echo', { headers, body: '<a/>' }).ended;
    expect(server.received.at(-1)?.headers).toMatchObject({
      'content-type': 'text/xml',
      'x-depth': '1',
      'x-milepost-execution': '7',
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'has the same Idempotency-Key in each attempt of a %s',
    async (method) => {
      for (const attempt of [1, 2]) {
        const { run } = makeRun({ url: `${server.origin}/echo`, method });
        await http({ ...run, execution: { ...run.execution, attempt } });
        const key = 'milepost-execution-7-1794916800123';
        expect(server.received.at(-1)?.headers).toMatchObject({
          'idempotency-key': key,
          'x-milepost-attempt': String(attempt),
        });
      }
    },
  );

  it('has an Idempotency-Key of its own in each attempt if it contains the secret', async () => {
    const { run } = makeRun({ url: `${server.origin}/echo`, body: { secret: testSecret } });
    await http(run);
    expect(server.received.at(-1)?.headers).toMatchObject({
      'idempotency-key': 'milepost-execution-7-1794916800123-2',
    });
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('has no Idempotency-Key if it is a %s', async (method) => {
    await call('/echo', { method }).ended;
    expect(server.received.at(-1)).toMatchObject({ method });
    expect(server.received.at(-1)?.headers).not.toHaveProperty('idempotency-key');
  });

  it('has the Idempotency-Key of the definition instead of ours', async () => {
    await call('/echo', { headers: { 'Idempotency-Key': 'scan-3' } }).ended;
    expect(server.received.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'scan-3' });
  });

  it('is logged without its query', async () => {
    const { lines, ended } = call(`/echo/a?key=${testSecret}`, { method: 'GET' });
    await ended;
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^GET ${server.origin}/echo/a: 200 in \\d+ ms$`))]);
  });
});

describe('a response', () => {
  it.each([
    ['/text?say=hello', 'hello'],
    ['/text?say={"a":1}', '{"a":1}'],
    ['/as-json?say={"a":1}', { a: 1 }],
    ['/as-json?say=null', null],
    ['/as-json?say=no json', 'no json'],
    ['/as-json?say=', ''],
    [`/as-json?say=${'['.repeat(5000)}`, '['.repeat(5000)],
    [`/as-json?say=${'['.repeat(40)}${']'.repeat(40)}`, '['.repeat(40) + ']'.repeat(40)],
    ['/as-json?say={"\\u0000":"\\u0000\\ud800"}', { '\uFFFD': '\uFFFD\uFFFD' }],
  ])('to the path %s is stored with its body', async (path, body) => {
    expect((await call(path).ended).values['body']).toEqual(body);
  });

  it('longer than 1 MiB is cut off, and the log says so', async () => {
    const { lines, ended } = call(`/huge?bytes=${3 * 1024 * 1024}`);
    expect((await ended).values['body']).toBe('x'.repeat(1024 * 1024) + cutMark);
    expect(lines[1]).toContain('the response is longer than 1 MiB');
  });

  it('is stored without the secret', async () => {
    const { ended } = call('/echo', { body: { key: testSecret }, headers: { 'x-key': testSecret } });
    expect(JSON.stringify(await ended)).not.toContain(testSecret);
    expect(server.received.at(-1)?.body).toContain(testSecret);
  });
});

describe('the status', () => {
  it.each([
    [200, undefined, 'success'],
    [204, undefined, 'success'],
    [302, undefined, 'failed'],
    [400, undefined, 'failed'],
    [404, undefined, 'failed'],
    [404, 404, 'success'],
    [404, [200, 404], 'success'],
    [200, [201, 202], 'failed'],
    [503, [503], 'success'],
    [429, 429, 'success'],
  ])('%d with expected_status %j gives the result %s', async (code, expected, result) => {
    const more = expected === undefined ? {} : { expected_status: expected };
    const ended = await call(`/status?code=${code}&say=why`, more).ended;
    expect(ended).toMatchObject({ result, values: { status: code, body: code === 204 ? '' : 'why' } });
    const wanted = [expected ?? '200–299'].flat().join(' or ');
    const reason = `Unexpected response: ${code} (expected ${wanted}).`;
    expect(ended.reason).toBe(result === 'failed' ? reason : undefined);
  });

  it.each([429, 500, 502, 503, 599])('%d is a temporary failure', async (code) => {
    const failure = await call(`/status?code=${code}&say=busy\n now`).ended.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TemporaryFailure);
    expect(failure).toMatchObject({ host: '127.0.0.1', said: 'busy now' });
    expect((failure as Error).message).toMatch(new RegExp(`/status returned ${code}\\.$`));
  });

  it('comes with the cause that the server names', async () => {
    const detail = 'A name is burned into the pixels of series 1';
    const say = encodeURIComponent(JSON.stringify({ title: 'Unprocessable', status: 422, detail }));
    expect(await call(`/status?code=422&say=${say}`).ended).toMatchObject({ result: 'failed', cause: detail });
    expect(await call('/status?code=422&say=').ended).toMatchObject({ result: 'failed', cause: undefined });
    expect(await call('/status?code=200&say=fine').ended).not.toHaveProperty('cause');
  });

  it('has a cause without the credentials of the request', async () => {
    const say = encodeURIComponent('The key Zx81-spectrum is unknown');
    const headers = { 'X-Api-Key': 'Zx81-spectrum' };
    const ended = await call(`/status?code=403&say=${say}`, { headers }).ended;
    expect(ended).toMatchObject({ cause: 'The key (hidden) is unknown' });
  });
});

describe('a run of http', () => {
  it.each([
    ['resets the connection', '/reset'],
    ['cuts off its response', '/cut'],
    ['does not speak HTTP', '/garbage'],
  ])('fails temporarily and names the host if the server %s', async (_what, path) => {
    await expect(call(path).ended).rejects.toBeInstanceOf(TemporaryFailure);
    await expect(call(path).ended).rejects.toMatchObject({ host: '127.0.0.1' });
  });

  it.each([
    ['nothing listens at the address', 'http://127.0.0.1:1', '127.0.0.1'],
    ['the name has no address', 'http://no-such-name.invalid', 'no-such-name.invalid'],
    ['the server does not speak TLS', 'https', '127.0.0.1'],
  ])('fails temporarily without sending the request if %s', async (_what, origin, host) => {
    const target = origin === 'https' ? server.origin.replace('http', 'https') : origin;
    const outgoing = createOutgoing({ allow: [readAllowedTarget(target)] });
    const functions = createFunctions({ outgoing, mail: undefined, commands: new Map(), taskFolder: undefined });
    const seen = server.received.length;
    const failure = await functions.http(makeRun({ url: `${target}/echo` }).run).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TemporaryFailure);
    expect(failure).toMatchObject({ host });
    expect(server.received).toHaveLength(seen);
  });

  it.each([
    ['start', '/hang'],
    ['finish', '/slow'],
  ])('fails temporarily if the server does not %s its response in time', async (_what, path) => {
    const { run } = makeRun({ url: server.origin + path });
    await expect(http(run, { ...outgoingLimits, totalMs: 100 })).rejects.toBeInstanceOf(TemporaryFailure);
  });

  it.each([
    [{}, 'url is required.'],
    [{ url: 5 }, 'url must be text.'],
    [{ url: 'xnat.example.org' }, 'url "xnat.example.org" is not a valid URL'],
    [{ url: 'http://x', methd: 'GET' }, 'methd is not a known field. Did you mean "method"?'],
    [{ url: 'http://x', method: 'CONNECT' }, 'method must be one of: GET, HEAD'],
    [{ url: 'http://x', headers: { a: ['b'] } }, 'headers/a must be text, or a number.'],
    [{ url: 'http://x', headers: 'a: b' }, 'headers must be an object.'],
    [{ url: 'http://x', expected_status: '2xx' }, 'expected_status must be a whole number, or a list.'],
    [{ url: 'http://x', expected_status: [] }, 'expected_status must not be empty.'],
    [{ url: 'http://x' }, 'Requests to http://x:80 are not allowed'],
    [{ url: 'file:///etc/passwd' }, 'only http and https are allowed'],
  ])('fails permanently with the arguments %j', async (given, why) => {
    const failure = await http(makeRun(given).run).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain(why);
  });

  it.each([{ Host: 'other.example.org' }, { 'x-a': 'one\r\nx-b: two' }])(
    'fails permanently with the headers %j (V1.3.3)',
    async (headers) => {
      await expect(call('/echo', { headers }).ended).rejects.toBeInstanceOf(PermanentFailure);
    },
  );

  it('hides the secret in the message of a permanent failure', async () => {
    const { run } = makeRun({ url: `http://${testSecret}.example.org/`, [testSecret]: 1 });
    const failure = await http(run).catch((error: unknown) => error);
    expect((failure as Error).message).toContain('(hidden)');
    expect((failure as Error).message).not.toContain(testSecret);
  });
});

describe('a cancelled run', () => {
  it('throws the reason and closes its connection', async () => {
    const { ended, abort } = call('/hang');
    const failure = ended.catch((error: unknown) => error);
    const seen = server.received.length;
    await expect.poll(() => server.received.length, { interval: 5 }).toBe(seen + 1);
    const reason = new Error('timed out');
    abort(reason);
    expect(await failure).toBe(reason);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });
});
