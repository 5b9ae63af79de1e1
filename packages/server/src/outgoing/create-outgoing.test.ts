/** What becomes of requests that are allowed, against a server that fails, hangs and lies. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing, outgoingLimits, type Outgoing, type OutgoingRequest } from './create-outgoing.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';

let server: WebServer;
let outgoing: Outgoing;
beforeAll(async () => {
  server = await startWebServer();
  outgoing = createOutgoing({ allow: ['http://127.0.0.1:*', 'https://127.0.0.1:*'].map(readAllowedTarget) });
});
afterAll(() => server.stop());

const never = new AbortController().signal;
const ask = (path: string, more: Partial<OutgoingRequest> = {}) =>
  outgoing.request({ url: new URL(path, server.origin).href, method: 'GET', signal: never, ...more });

describe('a request', () => {
  it('carries method, headers and body, and says who sends it', async () => {
    const headers = { 'x-one': '1', 'content-type': 'text/plain' };
    const { status, body } = await ask('/echo/a%20b?c=d&e', { method: 'PUT', headers, body: 'größer' });
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({
      method: 'PUT',
      url: '/echo/a%20b?c=d&e',
      body: 'größer',
      headers: { ...headers, 'user-agent': expect.stringMatching(/^milepost\//), connection: 'close' },
    });
  });

  it.each(['GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const)('can be %s', async (method) => {
    expect((await ask('/text', { method })).status).toBe(200);
    expect(server.received.at(-1)?.method).toBe(method);
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'upgrade',
    'Expect',
    'keep-alive',
    'te',
    'proxy-authorization',
  ])('with its own %s is refused', async (name) => {
    const before = server.connections();
    await expect(ask('/', { headers: { [name]: '1' } })).rejects.toThrow(`The header ${name} cannot be set`);
    expect(server.connections()).toBe(before);
  });

  it.each([
    ['x-a', 'one\r\nx-b: two'],
    ['x-a', 'one\nx-b: two'],
    ['x-a', 'nul\0'],
    ['x a', 'space'],
    ['x-a\r\nx-b', 'two'],
    ['', 'nothing'],
  ])('with the header %j: %j is refused', async (name, value) => {
    await expect(ask('/', { headers: { [name]: value } })).rejects.toBeInstanceOf(OutgoingRefused);
  });
});

describe('an answer', () => {
  it.each([200, 204, 302, 404, 429, 500, 503])('with status %d is an answer', async (status) => {
    expect((await ask(`/status?code=${status}&say=x`)).status).toBe(status);
  });

  it('of 1 MiB is kept whole', async () => {
    const { body, cut } = await ask(`/huge?bytes=${outgoingLimits.answerBytes}`);
    expect([body.length, cut]).toEqual([1024 * 1024, false]);
  });

  it.each([outgoingLimits.answerBytes + 1, 20 * 1024 * 1024])('of %d bytes is cut at 1 MiB', async (bytes) => {
    const answer = await ask(`/huge?bytes=${bytes}`);
    expect([answer.body.length, answer.cut]).toEqual([1024 * 1024, true]);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });

  it('that is longer than it says has the length that it says, or is refused', async () => {
    const answer = await ask('/more-than-said').then(
      ({ body }) => body.toString(),
      (error: unknown) => error,
    );
    expect(answer instanceof OutgoingFailed || answer === 'hello').toBe(true);
  });
});

describe('a failure that may pass', () => {
  it.each([
    ['/cut', 'the connection was cut'],
    ['/reset', 'the connection was cut'],
    ['/garbage', 'failed'],
    ['/long-head', 'the head of the answer is too long'],
  ])('is that of %s', async (path, why) => {
    const failure = await ask(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect((failure as Error).message).toContain(`The request to ${server.origin} failed: `);
    expect((failure as Error).message).toContain(why);
  });

  it.each(['/hang', '/slow'])('is that of %s, which has no end', async (path) => {
    await expect(ask(path, { timeoutMs: 100 })).rejects.toThrow('there was no whole answer within 0.1 s');
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });

  it('is that of a port where nobody listens', async () => {
    const gone = await startWebServer();
    await gone.stop();
    const failure = await ask(gone.origin).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect((failure as Error).message).toContain('nobody listens there (ECONNREFUSED)');
  });

  it('is that of a name that nobody knows', async () => {
    const unknowing = createOutgoing({ allow: [readAllowedTarget('http://unknown.test')], resolve: async () => [] });
    const asked = unknowing.request({ url: 'http://unknown.test/', method: 'GET', signal: never });
    await expect(asked).rejects.toThrow('The name unknown.test has no address');
  });
});

const impatient = { ...outgoingLimits, connectMs: 100 };

describe('connecting', () => {
  it('takes at most 3 s, the whole request 60 s', () => {
    expect(outgoingLimits).toMatchObject({ connectMs: 3000, totalMs: 60_000 });
  });

  it('is given up where a name is not resolved', async () => {
    const allow = [readAllowedTarget('http://slow.test')];
    const slow = createOutgoing({ allow, resolve: () => new Promise(() => undefined), limits: impatient });
    const failure = await slow
      .request({ url: 'http://slow.test/', method: 'GET', signal: never })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect((failure as Error).message).toBe('The name slow.test has no address that was found in time.');
  });

  it('is given up where a server says nothing to a greeting in TLS', async () => {
    const silent = createServer((socket) => socket.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const hasty = createOutgoing({ allow: [readAllowedTarget(`https://127.0.0.1:${port}`)], limits: impatient });
    const asked = hasty.request({ url: `https://127.0.0.1:${port}/`, method: 'GET', signal: never });
    await expect(asked).rejects.toThrow('there was no connection in time');
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('a request that is called off', () => {
  const reason = new Error('its time is over');

  it.each(['/hang', '/slow'])('while %s is waited for ends with that reason, and its connection ends', async (path) => {
    const controller = new AbortController();
    const seen = server.received.length;
    const ended = ask(path, { signal: controller.signal }).catch((error: unknown) => error);
    await expect.poll(() => server.received.length, { interval: 5 }).toBe(seen + 1);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });

  it('while its name is looked up ends with that reason', async () => {
    const controller = new AbortController();
    const allow = [readAllowedTarget('http://slow.test')];
    const slow = createOutgoing({ allow, resolve: () => new Promise(() => undefined) });
    const asked = slow.request({ url: 'http://slow.test/', method: 'GET', signal: controller.signal });
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  it('before it begins opens no connection', async () => {
    const before = server.connections();
    await expect(ask('/echo', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.connections()).toBe(before);
  });
});
