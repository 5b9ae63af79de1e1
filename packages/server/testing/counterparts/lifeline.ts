/** Shows whether a process that the tested code started is still running: the process holds a connection while it runs. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export async function createLifeline() {
  const open = new Set<Socket>();
  let started = 0;
  const server = createServer((socket) => {
    open.add(socket);
    started++;
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Code for a Node program that connects, prints `held` and keeps running. */
    script: `require('node:net').connect(${port}, '127.0.0.1', () => console.log('held')).on('error', () => process.exit());`,
    /** The same for a small shell program. It ends successfully when the connection closes. */
    shell: `exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3'`,
    /** The number of processes that have connected so far. */
    started: () => started,
    alive: () => open.size,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Lifeline = Awaited<ReturnType<typeof createLifeline>>;
