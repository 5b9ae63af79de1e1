/**
 * Tells when a process that others started is gone: it holds a connection for as long as it lives, whoever ends it and
 * however.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export async function createLifeLine() {
  const held = new Set<Socket>();
  let seen = 0;
  const server = createServer((socket) => {
    held.add(socket);
    seen++;
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => held.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** For a program in Node: connects, says `held`, and stays. */
    hold: `require('node:net').connect(${port}, '127.0.0.1', () => console.log('held')).on('error', () => process.exit());`,
    /** How many there have been. */
    seen: () => seen,
    alive: () => held.size,
    stop: async () => {
      for (const socket of held) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type LifeLine = Awaited<ReturnType<typeof createLifeLine>>;
