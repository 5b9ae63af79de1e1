/** Connections: none is remembered once it is gone, and none that asks nothing keeps the server from ending. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer } from '../../testing/server.ts';
import { drainOnClose } from './drain.ts';

async function serve(answer: RequestListener) {
  const server = createServer(answer);
  const drain = drainOnClose(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  /** As preClose and close do it in the app. */
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

const ask = (socket: Socket) => socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');

describe('50 requests that are broken off', () => {
  it('in the middle of their answers leave no connection behind', async () => {
    const { port, close, connections } = await serve((_request, response) => response.write('the beginning'));
    const sockets = await connectMany(port, 50);
    const begun = Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) ask(socket);
    await begun;
    expect(connections()).toBe(50);
    for (const socket of sockets) socket.destroy();
    await expect.poll(connections, { interval: 10 }).toBe(0);
    await close();
  });

  it('before they are answered leave no connection behind, also when the answers come all the same', async () => {
    const answers: (() => void)[] = [];
    const { port, close, connections } = await serve((_request, response) => {
      answers.push(() => response.end('too late'));
    });
    const sockets = await connectMany(port, 50);
    for (const socket of sockets) ask(socket);
    await expect.poll(() => answers.length, { interval: 10 }).toBe(50);
    for (const socket of sockets) socket.destroy();
    await expect.poll(connections, { interval: 10 }).toBe(0);
    for (const answer of answers) answer();
    await close();
    expect(connections()).toBe(0);
  });
});

/** From here on no timer fires, so no connection is cut because closing takes too long. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('closing', () => {
  it('ends connections without a request itself, and does not wait until they are cut', async () => {
    const { port, close, connections } = await serve((_request, response) => response.end('done'));
    const sockets = await connectMany(port, 5);
    await expect.poll(connections, { interval: 10 }).toBe(5);
    const received = Promise.all(sockets.map((socket) => socket.toArray()));
    stopTimers();
    await close();
    // Node sends 408 to those that it ends itself.
    expect((await received).flat()).toEqual([]);
  });

  it('does so in the whole app', async () => {
    const server = await startTestServer();
    const sockets = await connectMany(Number(new URL(server.origin).port), 5);
    // Connections are taken in their order: once this is answered, the server has the others.
    await server.call('listCohorts');
    const received = Promise.all(sockets.map((socket) => socket.toArray()));
    stopTimers();
    await server.stop();
    expect((await received).flat()).toEqual([]);
  });

  it('lets a running request have its whole answer, then closes its connection', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<ServerResponse>();
    const { port, close } = await serve((_request, response) => {
      response.write('one ');
      resolve(response);
    });
    const socket = await connectTo(port);
    ask(socket);
    const response = await begun;
    stopTimers();
    const closed = close();
    response.end('whole');
    expect((await socket.toArray()).join('')).toMatch(/one [^]*whole[^]*\r\n0\r\n\r\n$/);
    await closed;
  });
});
