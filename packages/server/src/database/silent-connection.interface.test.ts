/**
 * A database that accepts statements but sends nothing, such as one whose host was lost.
 *
 * @module-tag sql
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { prepare } from './prepare.ts';
import type { Database, Db } from './connection.ts';
import { inTransaction } from './transaction.ts';

let testDatabase: TestDatabase;
let proxy: Server;
let database: Database;
/** Drops what the database sends on the connections that are open now. */
let silence: () => void;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const url = new URL(testDatabase.databaseUrl);
  const { hostname, port } = url;
  const open = new Set<{ silent: boolean }>();
  silence = () => open.forEach((connection) => Object.assign(connection, { silent: true }));
  proxy = createServer((client) => {
    const connection = { silent: false };
    open.add(connection);
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on('data', (bytes) => connection.silent || client.write(bytes));
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].forEach((one) => one.destroy()));
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  database = openTestDatabase(url.href, { statementMs: 3000 });
});

afterAll(async () => {
  await database.close();
  proxy.close();
  await testDatabase.drop();
});

const compiled = prepare<object, { one: number }>(() => sql<{ one: number }>`select 1 as one`);

describe('after a statement that got no response', () => {
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['built', async (db) => (await sql`select 1 as one`.execute(db)).rows],
    ['compiled', (db) => compiled(db, {})],
    ['in a transaction', (db) => inTransaction(db, async (tx) => compiled(tx, {}))],
  ])('the next one uses a new connection (%s)', async (_kind, run) => {
    expect(await run(database.db)).toEqual([{ one: 1 }]);
    silence();
    await expect(run(database.db)).rejects.toThrow('Query read timeout');
    expect(await run(database.db)).toEqual([{ one: 1 }]);
  });
});
