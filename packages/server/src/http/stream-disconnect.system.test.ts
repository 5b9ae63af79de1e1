/** Clients that disconnect before or during a long list: every stream is released, whenever and however they disconnect. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertLargeCohort } from '../../testing/rows/large-cohort.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../testing/processes/server-process.ts';

/** About 7 MB of JSON: more than the buffers between server and client hold. */
const subjects = 25_000;
const prefix = `subject ${'-'.repeat(200)} `;
const password = 'correct horse battery staple';
const authorization = basic('admin', password);
const readers = 8;

let testDatabase: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await withClient(testDatabase.ownerUrl, (client) => insertLargeCohort(client, subjects, prefix));
  server = await startServerProcess({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_STREAM_POOL_SIZE: String(readers),
  });
});
afterAll(async () => {
  await server.stop();
  await testDatabase.drop();
});

const methods = { close: (socket: Socket) => socket.destroy(), reset: (socket: Socket) => socket.resetAndDestroy() };
const moments: Record<string, (socket: Socket) => Promise<unknown>> = {
  '0 ms': () => pause(0),
  '2 ms': () => pause(2),
  '5 ms': () => pause(5),
  '10 ms': () => pause(10),
  '50 ms': () => pause(50),
  'in mid-stream': (socket) => once(socket, 'data'),
};

async function requestSubjects(count = 1): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `GET /api/v2/subjects HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`.repeat(count),
  );
  return socket;
}

const disconnections = Object.entries(moments).flatMap(([moment, wait]) =>
  Object.entries(methods).map(([method, disconnect]) => ({ moment, wait, method, disconnect })),
);

async function readWholeList(): Promise<number> {
  const response = await fetch(`${server.baseUrl}/subjects`, { headers: { authorization } });
  const body = (await response.json()) as { subjects?: unknown[] };
  return body.subjects?.length ?? response.status;
}

/** The first lists may be rejected while the server still reads for a disconnected client. A leak rejects them permanently. */
async function expectAllReleased(): Promise<void> {
  const readAllAtOnce = () => Promise.all(Array.from({ length: readers }, readWholeList));
  await expect.poll(readAllAtOnce).toEqual(Array.from({ length: readers }, () => subjects));
  await expect.poll(() => server.metric('milepost_streams')).toBe(0);
}

it('the server releases every stream of 204 clients that close or reset their connection at various moments', async () => {
  for (let round = 0; round < 17; round += 1)
    for (const { wait, disconnect } of disconnections) {
      const socket = await requestSubjects();
      await wait(socket);
      disconnect(socket);
    }
  await expectAllReleased();
});

it('the server releases the streams of a client that disconnects with several open requests', async () => {
  for (const { wait, disconnect } of disconnections) {
    const socket = await requestSubjects(3);
    await wait(socket);
    disconnect(socket);
  }
  await expectAllReleased();
});
