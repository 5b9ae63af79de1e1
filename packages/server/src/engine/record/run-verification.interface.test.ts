/**
 * Verifications of the history that users request.
 *
 * @module-tag sql
 */
import { sql } from 'kysely';
import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWorld } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { countLockWaits } from '../../../testing/pause-at-lock.ts';
import { signAll } from '../../../testing/sign-all.ts';
import { withClient } from '../../../testing/test-database.ts';
import { createCheckpointKey, readCheckpointKey } from '../../chain/checkpoint-key.ts';
import {
  claimVerification,
  failVerification,
  finishVerification,
  releaseVerification,
  saveProgress,
  type VerificationClaim,
} from '../../store/record/verifications.ts';
import { runVerification } from './run-verification.ts';

const key = readCheckpointKey(createCheckpointKey());
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await createWorld(server).experiment();
});
afterAll(() => server.stop());

const latest = async () => (await server.call('listCheckpoints')).body.verification;
const run = (signal?: AbortSignal) => runVerification(server.database.db, key, signal);
const entries = async () => Number((await server.sql<{ count: string }>('select count(*) from history'))[0]?.count);

it('runs only if a user requested it', async () => {
  expect(await run()).toBe(false);
  expect(await latest()).toBeNull();
});

it('stores the number of entries and who requested it', async () => {
  const first = (await server.call('verifyHistory')).body;
  expect(first).toMatchObject({ status: 'requested', requested_by: { id: 1 } });
  expect((await server.call('verifyHistory')).body.id).toBe(first.id);
  expect(await run()).toBe(true);
  expect(await latest()).toMatchObject({ id: first.id, status: 'finished', entries: await entries(), fault: null });
});

it('waits for a worker with a key if the history is signed', async () => {
  await signAll(server.database.db, key);
  await server.call('verifyHistory');
  expect(await runVerification(server.database.db, undefined)).toBe(false);
  expect(await latest()).toMatchObject({ status: 'requested' });
});

it('is left to another worker if this one stops', async () => {
  expect(await run(AbortSignal.abort())).toBe(false);
  expect(await latest()).toMatchObject({ status: 'requested', finished_at: null });
  expect(await run()).toBe(true);
  expect(await latest()).toMatchObject({ status: 'finished', fault: null });
  expect((await latest()).checkpoints).toBeGreaterThan(0);
});

/** As another worker does. */
async function claim(): Promise<VerificationClaim> {
  const found = await claimVerification(server.database.db, { hasKey: true });
  if (!found) throw new Error('There is nothing to claim.');
  return found;
}

/** The worker that has the verification has not reported progress for two minutes. */
const lose = () =>
  server.sql(`update verifications set seen_at = now() - interval '2 minutes' where finished_at is null`);

/** So that a test that fails leaves none to the next one. */
const endUnfinished = () =>
  server.sql(`update verifications set finished_at = now(), failure = 'unfinished' where finished_at is null`);

const result = { entries: 9, checkpoints: 1, fault: null };

describe('a verification that workers lose', () => {
  afterEach(endUnfinished);

  it('fails after three workers, and keeps the last result', async () => {
    await server.call('verifyHistory');
    for (const attempt of [1, 2, 3]) {
      expect(await claim()).toMatchObject({ attempt });
      expect(await run()).toBe(false);
      expect(await latest()).toMatchObject({ status: 'running' });
      await lose();
    }
    expect(await run()).toBe(false);
    const failure = 'Three workers stopped before they finished. Check their logs.';
    expect(await latest()).toMatchObject({ status: 'failed', failure });
    const { body } = await server.call('listCheckpoints');
    expect(body.last_result).toMatchObject({ status: 'finished', fault: null });
  });

  it('does not count workers that stop as usual', async () => {
    await server.call('verifyHistory');
    for (const attempt of [1, 2]) {
      expect(await claim()).toMatchObject({ attempt });
      await lose();
    }
    for (let stopped = 0; stopped < 2; stopped++) {
      expect(await run(AbortSignal.abort())).toBe(false);
      expect(await latest()).toMatchObject({ status: 'requested' });
    }
    expect(await claim()).toMatchObject({ attempt: 3 });
    await lose();
    expect(await run()).toBe(false);
    expect(await latest()).toMatchObject({ status: 'failed' });
  });

  it('is only written by the worker that took over', async () => {
    const { db } = server.database;
    await server.call('verifyHistory');
    const late = await claim();
    await lose();
    const current = await claim();
    await saveProgress(db, current, 5);
    const rows = () => server.sql('select * from verifications order by id desc limit 1');
    const before = await rows();
    await saveProgress(db, late, 7);
    await releaseVerification(db, late);
    await failVerification(db, late, 'late');
    expect(await finishVerification(db, late, result)).toBe(false);
    expect(await rows()).toEqual(before);
    expect(await finishVerification(db, current, result)).toBe(true);
    await saveProgress(db, current, 5);
    await releaseVerification(db, current);
    await failVerification(db, current, 'late');
    expect(await latest()).toMatchObject({ status: 'finished', ...result, failure: null });
  });

  it('is kept by a worker that reports progress before another one takes over', async () => {
    await server.call('verifyHistory');
    const late = await pausedRun(async () => {
      await lose();
      const seen = `select from verifications where finished_at is null and seen_at > now() - interval '1 minute'`;
      await expect.poll(() => server.sql(seen)).toHaveLength(1);
    });
    expect(late).toBe(true);
    expect(await latest()).toMatchObject({ status: 'finished', fault: null });
  });

  it('is not finished by a worker that continues after another one took over', async () => {
    await server.call('verifyHistory');
    let current: VerificationClaim | undefined;
    const late = await pausedRun(async () => {
      await lose();
      current = await claim();
    });
    expect(late).toBe(false);
    expect(await latest()).toMatchObject({ status: 'running', entries: 0 });
    if (current) await releaseVerification(server.database.db, current);
    expect(await run()).toBe(true);
  });
});

/** Runs a verification, and calls `then` while it waits to read the history. Returns the outcome of the run. */
const pausedRun = (then: (client: Client) => Promise<unknown>) =>
  withClient(server.testDatabase.superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table history in access exclusive mode');
    const outcome = run().catch((error: unknown) => error);
    await expect.poll(() => countLockWaits(client), { interval: 20 }).toBe(1);
    await then(client);
    await client.query('rollback');
    return outcome;
  });

describe('a verification with an error', () => {
  afterEach(endUnfinished);

  it('is released if the database is unavailable, so that the next worker starts again', async () => {
    await server.call('verifyHistory');
    const error = await pausedRun((client) =>
      client.query(`select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`),
    );
    expect(error).toMatchObject({ code: '57P01' });
    expect(await latest()).toMatchObject({ status: 'requested', failure: null });
    expect(await server.sql('select attempts from verifications where finished_at is null')).toEqual([{ attempts: 0 }]);
    expect(await run()).toBe(true);
    expect(await latest()).toMatchObject({ status: 'finished', fault: null });
  });

  it('fails without the message of any other error, which is thrown for the log', async () => {
    const { rows } = await sql<{ role: string }>`select quote_ident(current_user) as role`.execute(server.database.db);
    const role = rows[0]?.role ?? '';
    await server.call('verifyHistory');
    await server.sql(`revoke select on history_values from ${role}`);
    await expect(run()).rejects.toThrow('permission denied for table history_values');
    await server.sql(`grant select on history_values to ${role}`);
    const failure = 'An unexpected error occurred. See the log of the worker.';
    expect(await latest()).toMatchObject({ status: 'failed', failure });
    expect(await run()).toBe(false);
  });
});

it('names the first entry that was changed', async () => {
  await withClient(server.testDatabase.superuserUrl, (client) =>
    client.query(`set session_replication_role = replica;
      update history set operation = 'planted' where id = (select max(id) from history where chain = 'users')`),
  );
  await server.call('verifyHistory');
  expect(await run()).toBe(true);
  expect((await latest()).fault).toMatch(/^Entry \d+ of users 0 \(id \d+\): The entry does not match its hash/);
});
