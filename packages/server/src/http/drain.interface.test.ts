/** The server forgets closed connections, and idle connections do not keep it from stopping. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer } from '../../testing/server.ts';
import { drainOnClose } from './drain.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const drain = drainOnClose(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  /** Like preClose and close in the app. */
  const close = async () => {
    drain.start();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, close, connections: drain.connections };
}

async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const connectMany = (port: number, many: number) => Promise.all(Array.from({ length: many }, () => connectTo(port)));

const sendRequest = (socket: Socket) => socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');

describe('50 aborted requests', () => {
  it('leave no connection behind if they are aborted during the response', async () => {
    const { port, close, connections } = await serve((_request, response) => response.write('the beginning'));
    const sockets = await connectMany(port, 50);
    const begun = Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) sendRequest(socket);
    await begun;
    expect(connections()).toBe(50);
    for (const socket of sockets) socket.destroy();
    await expect.poll(connections, { interval: 10 }).toBe(0);
    await close();
  });

  it('leave no connection behind if they are aborted before the response, which is sent later', async () => {
    const responses: (() => void)[] = [];
    const { port, close, connections } = await serve((_request, response) => {
      responses.push(() => response.end('too late'));
    });
    const sockets = await connectMany(port, 50);
    for (const socket of sockets) sendRequest(socket);
    await expect.poll(() => responses.length, { interval: 10 }).toBe(50);
    for (const socket of sockets) socket.destroy();
    await expect.poll(connections, { interval: 10 }).toBe(0);
    for (const respond of responses) respond();
    await close();
    expect(connections()).toBe(0);
  });
});

/** Stops all timers, so that no connection is closed by the grace period. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('closing a server', () => {
  it('ends idle connections immediately', async () => {
    const { port, close, connections } = await serve((_request, response) => response.end('done'));
    const sockets = await connectMany(port, 5);
    await expect.poll(connections, { interval: 10 }).toBe(5);
    const received = Promise.all(sockets.map((socket) => socket.toArray()));
    stopTimers();
    await close();
    // Node sends 408 on connections that it closes itself.
    expect((await received).flat()).toEqual([]);
  });

  it('ends the idle connections of the whole app', async () => {
    const server = await startTestServer();
    const sockets = await connectMany(Number(new URL(server.origin).port), 5);
    // Connections are accepted in order, so after this response the server has accepted the others.
    await server.call('listCohorts');
    const received = Promise.all(sockets.map((socket) => socket.toArray()));
    stopTimers();
    await server.stop();
    expect((await received).flat()).toEqual([]);
  });

  it('completes the response of a running request, then closes its connection', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>();
    const { port, close } = await serve((_request, response) => {
      response.write('one ');
      resolve(response);
    });
    const socket = await connectTo(port);
    sendRequest(socket);
    const response = await begun;
    stopTimers();
    const closed = close();
    response.end('whole');
    expect((await socket.toArray()).join('')).toMatch(/one [^]*whole[^]*\r\n0\r\n\r\n$/);
    await closed;
  });
});
