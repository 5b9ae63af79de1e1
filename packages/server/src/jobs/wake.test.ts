/** Listens to a database that accepts connections but does not respond, as when it hangs or the network fails. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForJobs } from './wake.ts';

const sockets = new Set<Socket>();
const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
let databaseUrl: string;
beforeAll(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  databaseUrl = `postgresql://milepost@127.0.0.1:${(silent.address() as AddressInfo).port}/milepost`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

/** Collects the reported failures in `errors`. */
async function startListening() {
  const errors: unknown[] = [];
  const connected = once(silent, 'connection');
  const listening = listenForJobs(
    databaseUrl,
    () => undefined,
    (error) => errors.push(error),
  );
  await connected;
  return { listening, errors };
}

describe('a database that does not respond', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('does not delay stopping, even if the connection timeout never passes', async () => {
    const { listening, errors } = await startListening();
    await listening.stop();
    expect(errors).toEqual([]);
  });

  it('is retried one second after the connection timeout of 3 s', async () => {
    const { listening, errors } = await startListening();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(errors).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => errors).toHaveLength(1);
    const again = once(silent, 'connection');
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await again;
    await listening.stop();
    expect(errors).toHaveLength(1);
  });
});
