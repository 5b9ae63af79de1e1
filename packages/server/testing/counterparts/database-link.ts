/**
 * A proxy between the processes and the database that can become slow, reset its connections, go dead, or be down. On a dead
 * link, nothing arrives on open connections, and new connections are accepted but get no response. A link that is down closes
 * all connections at once, like a database that has stopped.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type LinkFault = 'slow' | 'reset' | 'dead' | 'down';

export interface Link {
  /** The database URL through the proxy. */
  through: (databaseUrl: string) => string;
  /** A reset takes effect once. The other faults last until `restore`, but dead connections stay dead. */
  inject: (how: LinkFault) => void;
  restore: () => void;
  stop: () => Promise<void>;
}

const slowMs = 150;

export async function openLink(port: number): Promise<Link> {
  const open = new Set<Socket>();
  let now: LinkFault | 'healthy' = 'healthy';
  const pass = (from: Socket, to: Socket) => {
    let isDead = false;
    let late = 0;
    const later = (chunk: Buffer) => {
      late++;
      setTimeout(() => {
        late--;
        to.write(chunk);
      }, slowMs);
    };
    from.on('data', (chunk) => {
      isDead ||= now === 'dead';
      if (isDead) return;
      // A chunk must not overtake a delayed one.
      const isLate = now === 'slow' || late > 0;
      if (isLate) later(chunk);
      else to.write(chunk);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => undefined);
  };
  const server = createServer((near) => {
    if (now === 'down') {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    pass(near, far);
    pass(far, near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    through: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(own) }).href,
    inject: (how) => {
      if (how === 'reset' || how === 'down') for (const socket of open) socket.resetAndDestroy();
      if (how !== 'reset') now = how;
    },
    restore: () => (now = 'healthy'),
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
