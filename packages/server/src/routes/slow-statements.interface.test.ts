/** How long the database may take for a request, as people have it: 5 s, and longer where that was promised. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { usualPatience } from '../database/connection.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer({ patience: usualPatience });
  world = createWorld(server);
  await server.sql(`create function linger() returns trigger language plpgsql as
    $$ begin perform pg_sleep(6); return new; end $$`);
});
afterAll(() => server.stop());

const lingerOn = (table: string) =>
  server.sql(`create trigger lingers before insert on ${table} for each row execute function linger()`);

it('a request whose statement takes longer is 503, to be tried again, and has written nothing (V15.2.2)', async () => {
  await lingerOn('cohorts');
  const answer = await server.call('createCohort', { body: { label: 'slow' } });
  await server.sql('drop trigger lingers on cohorts');
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await server.sql(`select from cohorts where label = 'slow'`)).toEqual([]);
});

it('an erasure may take longer', async () => {
  const { id, label } = await world.subject();
  await server.call('withdrawSubject', { params: { id }, body: { reason: 'moved away', date: '2026-03-01' } });
  const { body } = await server.call('requestErasure', { params: { id }, body: { reason: 'asked for it' } });
  await lingerOn('erasures');
  const answer = await server.call('eraseSubject', { params: { id }, body: { erasure_id: body.id, label } });
  await server.sql('drop trigger lingers on erasures');
  expect(answer.status).toBe(200);
});
