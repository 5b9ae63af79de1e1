/**
 * The link between the programs and the database, which can become slow, be reset, or go dead without a word: then nothing
 * arrives any more on the connections that are open, and a new one is taken and gets no answer.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Trouble = 'slow' | 'reset' | 'dead';

export interface Link {
  /** The address through it. */
  through: (databaseUrl: string) => string;
  /** A reset is over at once; the others last until `heal`. What went dead stays dead. */
  trouble: (how: Trouble) => void;
  heal: () => void;
  stop: () => Promise<void>;
}

const slowMs = 150;

export async function openLink(port: number): Promise<Link> {
  const open = new Set<Socket>();
  let now: Trouble | 'sound' = 'sound';
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
      // What comes behind something slow must not overtake it.
      const isLate = now === 'slow' || late > 0;
      if (isLate) later(chunk);
      else to.write(chunk);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => undefined);
  };
  const server = createServer((near) => {
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
    trouble: (how) => {
      if (how === 'reset') for (const socket of open) socket.resetAndDestroy();
      else now = how;
    },
    heal: () => (now = 'sound'),
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
