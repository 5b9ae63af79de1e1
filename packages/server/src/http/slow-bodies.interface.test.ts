/** Bodies that do not arrive in time. */
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTo, exchange } from '../../testing/exchange.ts';
import { readBodies } from './read-body.ts';
import { rejectSlowBodies } from './slow-bodies.ts';
import { unreadableRequests } from './unreadable-requests.ts';

let http: FastifyInstance;
let address: string;
beforeAll(async () => {
  http = fastify();
  const unreadable = unreadableRequests({ logger: pino({ level: 'silent' }), headers: {}, methods: [] });
  unreadable.watch(http);
  readBodies(http);
  rejectSlowBodies(http, { reject: unreadable.reject, limitMs: 100 });
  http.post('/json', async () => 'read');
  http.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send('no') }, async () => 'read');
  http.post('/upload', { config: { upload: 'text/csv' } }, async ({ body }) => {
    const chunks = [];
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
});
afterAll(() => http.close());

const head = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n`;

it('are answered with 408, and the connection is closed', async () => {
  const received = await exchange(address, `${head('/json', 'application/json')}{"a"`);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
  expect(received).toContain('"code":"request_timeout"');
});

it('are not waited for after a response', async () => {
  const received = await exchange(address, head('/refused', 'application/json').replace('Connection: close\r\n', ''));
  expect(received).toMatch(/^HTTP\/1\.1 401 /);
});

it('of an upload are not waited for after a response', async () => {
  const received = await exchange(address, head('/upload', 'application/json').replace('Connection: close\r\n', ''));
  expect(received).toMatch(/^HTTP\/1\.1 415 /);
});

it('are read if they are complete', async () => {
  expect(await exchange(address, `${head('/json', 'application/json')}{"a": 123}`)).toMatch(/^HTTP\/1\.1 200 .*read$/s);
});

it('of an upload have more time', async () => {
  const socket = connectTo(address);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.write(`${head('/upload', 'text/csv')}subje`);
  // Meanwhile another request waits for its limit and gets 408.
  await exchange(address, `${head('/json', 'application/json')}{"a"`);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write('ct\nA1');
  await closed;
  expect(received).toMatch(/^HTTP\/1\.1 200 .*subject\nA1$/s);
});
