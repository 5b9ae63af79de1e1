/** Counts the bytes that the connections of a pool receive from PostgreSQL. */
import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';

const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

export async function countReceivedBytes(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  const before = new Map<Socket, number>();
  const onAcquire = (client: PoolClient) => {
    const socket = socketOf(client);
    if (!before.has(socket)) before.set(socket, socket.bytesRead);
  };
  pool.on('acquire', onAcquire);
  try {
    await work();
  } finally {
    pool.off('acquire', onAcquire);
  }
  return [...before].reduce((sum, [socket, bytes]) => sum + socket.bytesRead - bytes, 0);
}
