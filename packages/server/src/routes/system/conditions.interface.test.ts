/** The header that says what keeps the installation from working fully, and the state that operators read. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { recordHeartbeat, recordStop } from '../../store/system/processes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.addUserWith('reader', 'user_read');
  await server.addUserWith('operator', 'service_run');
});
afterAll(() => server.stop());

/** No worker runs in this test, so the contact of one is written for it. */
const setContact = (secondsAgo: number) =>
  server.sql(`update contact set at = now() - $1 * interval '1 second' where holder = 'worker'`, [secondsAgo]);

async function headerOf(as: string | null): Promise<string | null> {
  const { headers } = await server.call('getSession', { as });
  return headers.get('milepost-degraded');
}

async function announced(): Promise<string | null> {
  await server.conditions.refresh();
  return headerOf('reader');
}

const signUpTo = (age: string) =>
  server.sql(
    `insert into checkpoints (number, at, heads, key_id, up_to_xid, up_to_id, after_id, cluster, hash, signature)
     select 1, now() - $1::interval, '[]', 'key', '0', 0, 0, (pg_control_system()).system_identifier::text, decode(repeat('00', 32), 'hex'), decode(repeat('00', 64), 'hex')`,
    [age],
  );

describe('the header', () => {
  beforeEach(async () => {
    await setContact(0);
    await server.conditions.refresh();
  });

  it('is absent if everything works', async () => {
    expect(await announced()).toBeNull();
  });

  it('says that no worker runs until one has contact with the database', async () => {
    await setContact(16);
    expect(await announced()).toBe('no_worker');
    await setContact(0);
    expect(await announced()).toBeNull();
  });

  it('says that a queue is blocked until its incident is closed', async () => {
    await server.sql(`insert into incidents (kind, queue) values ('unclaimed', 'callbacks')`);
    expect(await announced()).toBe('queue_blocked');
    const { body } = await server.call('getSystem', { as: 'operator' });
    expect(body.conditions).toEqual(['queue_blocked']);
    await server.sql(`update incidents set closed_at = now() where queue = 'callbacks'`);
    expect(await announced()).toBeNull();
  });

  it('says that checkpoints are overdue if the history was signed before, and not if it never was', async () => {
    await server.sql(`alter table history disable trigger user`);
    await server.sql(`update history set at = now() - interval '6 minutes'`);
    expect(await announced()).toBeNull();
    await signUpTo('6 minutes');
    expect(await announced()).toBe('checkpoints_overdue');
    await server.sql(`update history set at = now() - interval '4 minutes'`);
    expect(await announced()).toBeNull();
    await server.sql(`alter table history enable trigger user`);
  });

  it('lists all conditions, the worst first', async () => {
    await server.sql(`insert into incidents (kind, queue) values ('unclaimed', 'callbacks')`);
    await setContact(16);
    expect(await announced()).toBe('no_worker, queue_blocked');
    await server.sql(`update incidents set closed_at = now() where queue = 'callbacks'`);
  });

  it('is not sent to anonymous callers', async () => {
    await setContact(16);
    await server.conditions.refresh();
    expect(await headerOf('operator')).toBe('no_worker');
    expect(await headerOf(null)).toBeNull();
  });

  it('is read without a statement for each request', async () => {
    await server.conditions.refresh();
    await setContact(16);
    expect(await headerOf('reader')).toBeNull();
  });
});

const processes = async () => {
  const { body } = await server.call('getSystem', { as: 'operator' });
  return (body.processes as { host: string; status: string; runs: number }[]).map(({ host, status, runs }) => ({
    host,
    status,
    runs,
  }));
};

describe('getSystem', () => {
  const own = { kind: 'worker' as const, host: 'node-1', pid: 17, version: '1.2.3' };
  beforeEach(async () => {
    await server.sql('delete from processes');
    await setContact(0);
  });

  it('lists a process that reports, that stopped, and that is lost, those that run first', async () => {
    const { db } = server.database;
    const stopped = await recordHeartbeat(db, undefined, { ...own, host: 'stopped' }, 2);
    await recordStop(db, stopped);
    const lost = await recordHeartbeat(db, undefined, { ...own, host: 'lost' }, 1);
    await server.sql(`update processes set seen_at = now() - interval '31 seconds' where id = $1`, [lost]);
    const running = await recordHeartbeat(db, undefined, own, 3);
    expect(await recordHeartbeat(db, running, own, 4)).toBe(running);
    const found = await processes();
    expect(found[0]).toEqual({ host: 'node-1', status: 'running', runs: 4 });
    expect(found).toHaveLength(3);
    expect(found).toContainEqual({ host: 'lost', status: 'lost', runs: 1 });
    expect(found).toContainEqual({ host: 'stopped', status: 'stopped', runs: 0 });
  });

  it('forgets processes after a day, when another one starts', async () => {
    const { db } = server.database;
    const old = await recordHeartbeat(db, undefined, own, 0);
    await server.sql(`update processes set seen_at = now() - interval '25 hours' where id = $1`, [old]);
    const id = await recordHeartbeat(db, undefined, { ...own, pid: 18 }, 0);
    expect(await server.sql('select id::int from processes')).toEqual([{ id }]);
    // A process whose row was removed, for example because its machine slept, gets another one.
    expect(await recordHeartbeat(db, old, own, 0)).toBeGreaterThan(id);
  });

  it('shows queues, the database and the migrations', async () => {
    const { body } = await server.call('getSystem', { as: 'operator' });
    expect(body.queues).toContainEqual({ queue: 'callbacks', waiting: 0, oldest_since: null, blocked: false });
    expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
    expect(body.database.connections).toBeGreaterThan(0);
    expect(body.database.max_connections).toBeGreaterThan(body.database.connections);
    const [last] = await server.sql<{ name: string }>('select name from migrations order by number desc limit 1');
    expect(body.migrations).toMatchObject({ last: last?.name, pending: [], unknown: [] });
  });

  it('says when the history was verified, and what the last verification found', async () => {
    const readCheckpoints = async () => (await server.call('getSystem', { as: 'operator' })).body.checkpoints;
    expect(await readCheckpoints()).toMatchObject({ verified_at: null, fault: null });
    await server.sql(`insert into verifications (requested_by, finished_at, fault)
      values (1, '2026-11-16T09:30:00Z', 'Entry 7 was changed.')`);
    // One that has not finished hides no result.
    await server.sql('insert into verifications (requested_by) values (1)');
    expect(await readCheckpoints()).toMatchObject({
      verified_at: '2026-11-16T09:30:00.000Z',
      fault: 'Entry 7 was changed.',
    });
  });

  it('counts a run that has waited since the last count of its queue', async () => {
    await server.sql(`insert into pgboss.job (name, data) values ('callbacks', '{"execution_id": 1}')`);
    const { body } = await server.call('getSystem', { as: 'operator' });
    const queue = body.queues.find((one: { queue: string }) => one.queue === 'callbacks');
    expect(queue).toMatchObject({ waiting: 1, oldest_since: expect.any(String) });
    await server.sql('delete from pgboss.job');
  });

  it('is refused without service_run', async () => {
    const { status, body } = await server.call('getSystem', { as: 'reader' });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_allowed' });
  });
});
