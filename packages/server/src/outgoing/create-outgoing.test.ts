/** Allowed requests to a server that fails, hangs and lies. */
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
const send = (path: string, more: Partial<OutgoingRequest> = {}) =>
  outgoing.request({ url: new URL(path, server.origin).href, method: 'GET', signal: never, ...more });

describe('a request', () => {
  it('is sent with its method, headers, body and user agent', async () => {
    const headers = { 'x-one': '1', 'content-type': 'text/plain' };
    const { status, body } = await send('/echo/a%20b?c=d&e', { method: 'PUT', headers, body: 'größer' });
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toMatchObject({
      method: 'PUT',
      url: '/echo/a%20b?c=d&e',
      body: 'größer',
      headers: { ...headers, 'user-agent': expect.stringMatching(/^milepost\//), connection: 'close' },
    });
  });

  it.each(['GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const)('can have the method %s', async (method) => {
    expect((await send('/text', { method })).status).toBe(200);
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
  ])('is rejected with the reserved header %s', async (name) => {
    const before = server.connections();
    await expect(send('/', { headers: { [name]: '1' } })).rejects.toThrow(`The header ${name} cannot be set`);
    expect(server.connections()).toBe(before);
  });

  it.each([
    ['x-a', 'one\r\nx-b: two'],
    ['x-a', 'one\nx-b: two'],
    ['x-a', 'nul\0'],
    ['x a', 'space'],
    ['x-a\r\nx-b', 'two'],
    ['', 'nothing'],
  ])('is rejected if the header %j has the value %j', async (name, value) => {
    await expect(send('/', { headers: { [name]: value } })).rejects.toBeInstanceOf(OutgoingRefused);
  });
});

describe('a response', () => {
  it.each([200, 204, 302, 404, 429, 500, 503])('with status %d is returned', async (status) => {
    expect((await send(`/status?code=${status}&say=x`)).status).toBe(status);
  });

  it('of 1 MiB is complete', async () => {
    const { body, cut } = await send(`/huge?bytes=${outgoingLimits.responseBytes}`);
    expect([body.length, cut]).toEqual([1024 * 1024, false]);
  });

  it.each([outgoingLimits.responseBytes + 1, 20 * 1024 * 1024])('of %d bytes is truncated at 1 MiB', async (bytes) => {
    const response = await send(`/huge?bytes=${bytes}`);
    expect([response.body.length, response.cut]).toEqual([1024 * 1024, true]);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });

  it('that exceeds its Content-Length is truncated or fails', async () => {
    const response = await send('/longer-than-declared').then(
      ({ body }) => body.toString(),
      (error: unknown) => error,
    );
    expect(response instanceof OutgoingFailed || response === 'hello').toBe(true);
  });
});

describe('a temporary failure', () => {
  it.each([
    ['cuts off its response', '/cut', 'the connection was closed'],
    ['resets the connection', '/reset', 'the connection was closed'],
    ['does not speak HTTP', '/garbage', 'failed'],
    ['sends very long headers', '/long-head', 'the response headers are larger than 16 KiB'],
  ])('is reported if the server %s', async (_what, path, why) => {
    const failure = await send(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect((failure as Error).message).toContain(`The request to ${server.origin} failed: `);
    expect((failure as Error).message).toContain(why);
  });

  it.each([
    ['starts', '/hang'],
    ['finishes', '/slow'],
  ])('is reported if the server never %s its response', async (_what, path) => {
    await expect(send(path, { timeoutMs: 100 })).rejects.toThrow('the response was not complete within 0.1 s');
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });

  it('is reported for a closed port', async () => {
    const stopped = await startWebServer();
    await stopped.stop();
    const failure = await send(stopped.origin).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect((failure as Error).message).toContain('connection refused (ECONNREFUSED)');
  });

  it('is reported for an unknown host name', async () => {
    const unresolving = createOutgoing({ allow: [readAllowedTarget('http://unknown.test')], resolve: async () => [] });
    const sent = unresolving.request({ url: 'http://unknown.test/', method: 'GET', signal: never });
    await expect(sent).rejects.toThrow('The name unknown.test has no address');
  });
});

const impatient = { ...outgoingLimits, connectMs: 100 };

describe('connecting', () => {
  it('is limited to 3 s, and the whole request to 60 s', () => {
    expect(outgoingLimits).toMatchObject({ connectMs: 3000, totalMs: 60_000 });
  });

  it('times out if a name is not resolved', async () => {
    const allow = [readAllowedTarget('http://slow.test')];
    const slow = createOutgoing({ allow, resolve: () => new Promise(() => undefined), limits: impatient });
    const failure = await slow
      .request({ url: 'http://slow.test/', method: 'GET', signal: never })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect((failure as Error).message).toBe('Resolving the name slow.test timed out.');
  });

  it('times out if a server does not respond to the TLS handshake', async () => {
    const silent = createServer((socket) => socket.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const hasty = createOutgoing({ allow: [readAllowedTarget(`https://127.0.0.1:${port}`)], limits: impatient });
    const sent = hasty.request({ url: `https://127.0.0.1:${port}/`, method: 'GET', signal: never });
    await expect(sent).rejects.toThrow('the connection timed out');
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('an aborted request', () => {
  const reason = new Error('aborted');

  it.each(['/hang', '/slow'])('to %s rejects with the reason and closes its connection', async (path) => {
    const controller = new AbortController();
    const seen = server.received.length;
    const ended = send(path, { signal: controller.signal }).catch((error: unknown) => error);
    await expect.poll(() => server.received.length, { interval: 5 }).toBe(seen + 1);
    controller.abort(reason);
    expect(await ended).toBe(reason);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });

  it('rejects with the reason while its host name is being resolved', async () => {
    const controller = new AbortController();
    const allow = [readAllowedTarget('http://slow.test')];
    const slow = createOutgoing({ allow, resolve: () => new Promise(() => undefined) });
    const sent = slow.request({ url: 'http://slow.test/', method: 'GET', signal: controller.signal });
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  it('opens no connection if it is aborted before it starts', async () => {
    const before = server.connections();
    await expect(send('/echo', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.connections()).toBe(before);
  });
});
