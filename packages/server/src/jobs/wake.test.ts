/** Listening to a database that takes connections and answers nothing, as one that hangs or a broken network does. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForJobs } from './wake.ts';

const sockets = new Set<Socket>();
const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
let databaseUrl: string;
beforeAll(async () => {
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  databaseUrl = `postgresql://somebody@127.0.0.1:${(silent.address() as AddressInfo).port}/milepost`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

async function millisecondsToEnd(): Promise<number> {
  const errors: unknown[] = [];
  const connected = once(silent, 'connection');
  const listening = listenForJobs(
    databaseUrl,
    () => undefined,
    (error) => errors.push(error),
  );
  await connected;
  const start = performance.now();
  await listening.stop();
  const took = performance.now() - start;
  expect(errors).toEqual([]);
  return took;
}

describe('a half-open database', () => {
  it('does not hold up the end', async () => {
    const endings = [await millisecondsToEnd(), await millisecondsToEnd(), await millisecondsToEnd()];
    // The median: a machine that stands still adds to one of them, seldom to two. A try itself takes 3 s.
    expect(endings.toSorted((one, other) => one - other)[1]).toBeLessThan(2500);
  });

  it('is tried anew after 3 s', async () => {
    const errors: unknown[] = [];
    const listening = listenForJobs(
      databaseUrl,
      () => undefined,
      (error) => errors.push(error),
    );
    await once(silent, 'connection');
    await once(silent, 'connection');
    await listening.stop();
    expect(errors).toHaveLength(1);
  });
});
