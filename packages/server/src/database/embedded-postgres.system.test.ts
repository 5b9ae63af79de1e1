import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withClient } from '../../testing/test-database.ts';
import { embeddedPostgres } from './embedded-postgres.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-embedded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the embedded PostgreSQL keeps its data and password across restarts and rejects a second start on the same folder', async () => {
  const first = await embeddedPostgres({ folder });
  await withClient(first.url, (client) => client.query('create table kept (id bigint)'));
  const pid = Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10);
  await expect(embeddedPostgres({ folder })).rejects.toThrow(
    `already running in ${join(folder, 'data')} (process ${pid})`,
  );
  await first.stop();
  await expect(withClient(first.url, (client) => client.query('select 1'))).rejects.toThrow('ECONNREFUSED');

  const second = await embeddedPostgres({ folder, settings: { max_connections: '17' } });
  const { rows } = await withClient(second.url, (client) =>
    client.query(`select count(*)::int as kept, current_setting('max_connections') as room from kept`),
  );
  await second.stop();
  expect(rows).toEqual([{ kept: 0, room: '17' }]);
});

it('the embedded PostgreSQL includes its server log in the error if it does not start', async () => {
  await expect(embeddedPostgres({ folder, settings: { max_connections: '-1' } })).rejects.toThrow(/max_connections/);
});
