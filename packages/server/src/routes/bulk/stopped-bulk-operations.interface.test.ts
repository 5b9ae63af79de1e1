/**
 * Bulk operations that end early or fail in part: the author loses a right, a user pauses or stops them, an experiment cannot be written.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBulkWorld, type BulkCohort, type BulkWorld } from '../../../testing/bulk-world.ts';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';
import { createTestToken, expireToken } from '../../../testing/tokens.ts';

let server: TestServer;
let world: BulkWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createBulkWorld(server);
});
afterAll(() => server.stop());

/** A move of two experiments of each cohort, of which the first has been moved. */
async function startedMove(cohorts: BulkCohort[], parts: Parts) {
  const ids = [0, 1].flatMap((index) => cohorts.flatMap((cohort) => cohort.ids[index] ?? []));
  const id = await world.checkedMove(ids, parts);
  await world.apply(id, parts, { rate: 1 });
  await world.workOnce();
  expect(await world.statesOf(ids)).toEqual(['other', ...ids.slice(1).map(() => 'start')]);
  return { id, ids };
}

/** Only the first experiment was changed, and nothing changes any more. */
async function expectStopped({ id, ids }: { id: number; ids: number[] }, because: string | null) {
  expect(await world.workOnce()).toBe(true);
  expect(await world.workOnce()).toBe(false);
  const operation = await world.read(id);
  expect(operation).toMatchObject({
    status: 'stopped',
    stopped_because: because,
    done: 1,
    ready: ids.length - 1,
    refused: 0,
    ended_at: expect.any(String),
  });
  expect(await world.statesOf(ids)).toEqual(['other', ...ids.slice(1).map(() => 'start')]);
}

const accountEnded = 'The account of the author was deactivated, or the API token expired or was revoked.';

const lostPermission = 'The author lost the permission `sample_state_update` in a cohort of the experiments.';

describe('a running operation stops and says why', () => {
  it('if its author is deactivated', async () => {
    const cohort = await world.cohortWith(2);
    const ann = await world.userIn({ superuser: [cohort] });
    const started = await startedMove([cohort], ann.as);
    await server.call('deleteUser', { params: { id: ann.id } });
    await expectStopped(started, accountEnded);
  });

  it('if its author loses the role in one of its cohorts', async () => {
    const [one, two] = [await world.cohortWith(2), await world.cohortWith(2)];
    const ann = await world.userIn({ superuser: [one, two] });
    const started = await startedMove([one, two], ann.as);
    await world.revoke(ann.username, 'superuser', two);
    await expectStopped(started, lostPermission);
  });

  it('if its author can still read, but no longer change the experiments', async () => {
    const cohort = await world.cohortWith(2);
    const ann = await world.userIn({ superuser: [cohort], user: [cohort] });
    const started = await startedMove([cohort], ann.as);
    await world.revoke(ann.username, 'superuser', cohort);
    await expectStopped(started, lostPermission);
  });

  it('if the API token that created it is revoked', async () => {
    const cohort = await world.cohortWith(2);
    const ann = await world.userIn({ superuser: [cohort] });
    const token = await createTestToken(server, ann, ['sample_state_update']);
    const started = await startedMove([cohort], token.parts);
    await server.call('revokeApiToken', { params: { id: ann.id, token_id: token.id } });
    await expectStopped(started, accountEnded);
  });

  it('if the API token that created it expires', async () => {
    const cohort = await world.cohortWith(2);
    const ann = await world.userIn({ superuser: [cohort] });
    const token = await createTestToken(server, ann, ['sample_state_update']);
    const started = await startedMove([cohort], token.parts);
    await expireToken(server, token.id);
    await expectStopped(started, accountEnded);
  });

  it('if the API token that applied it is revoked, and a token without the permission cannot apply it', async () => {
    const cohort = await world.cohortWith(2);
    const ann = await world.userIn({ superuser: [cohort] });
    const id = await world.checkedMove(cohort.ids, ann.as);
    const reader = await createTestToken(server, ann, ['user_read']);
    expect((await world.apply(id, reader.parts)).status).toBe(403);
    const mover = await createTestToken(server, ann, ['sample_state_update']);
    expect((await world.apply(id, mover.parts)).status).toBe(200);
    await server.call('revokeApiToken', { params: { id: ann.id, token_id: mover.id } });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'stopped', done: 0, stopped_because: accountEnded });
  });

  it('but not if another API token of its author is revoked', async () => {
    const cohort = await world.cohortWith(2);
    const ann = await world.userIn({ superuser: [cohort] });
    const token = await createTestToken(server, ann, ['sample_state_update']);
    const { id } = await startedMove([cohort], ann.as);
    await server.call('revokeApiToken', { params: { id: ann.id, token_id: token.id } });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: 2, stopped_because: null });
  });
});

describe('an operation that is being checked stops and says why', () => {
  it('if its author is deactivated', async () => {
    const cohort = await world.cohortWith(1);
    const ann = await world.userIn({ superuser: [cohort] });
    const { body } = await world.create('retry', { experiment_ids: cohort.ids, reason: 'x' }, ann.as);
    await server.call('deleteUser', { params: { id: ann.id } });
    await world.work();
    const [row] = await server.sql('select status, stopped_because, experiments from bulk_operations where id = $1', [
      body.id,
    ]);
    expect(row).toEqual({ status: 'stopped', stopped_because: accountEnded, experiments: 0 });
  });
});

describe('an operation with an API token', () => {
  it('changes only what the token allows, although its author could do more', async () => {
    const cohort = await world.cohortWith(1);
    const ann = await world.userIn({ superuser: [cohort] });
    const token = await createTestToken(server, ann, ['sample_state_update']);
    const note = await world.create('note', { text: 'x', experiment_ids: cohort.ids, dry_run: true }, token.parts);
    expect(note).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });
});

const control = (name: 'pauseBulkOperation' | 'resumeBulkOperation' | 'stopBulkOperation', id: number) =>
  server.call(name, { params: { id } });

describe('a user', () => {
  it('pauses an operation, and resumes it with the experiments that are left', async () => {
    const { id, ids } = await startedMove([await world.cohortWith(3)], {});
    expect((await control('pauseBulkOperation', id)).body.status).toBe('paused');
    expect(await world.workOnce()).toBe(false);
    expect(await world.read(id)).toMatchObject({ status: 'paused', done: 1 });
    expect((await control('resumeBulkOperation', id)).body.status).toBe('running');
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: ids.length });
    for (const moved of ids) expect(await world.actionsOf(moved)).toHaveLength(2);
  });

  it('stops an operation, which then cannot be resumed or applied', async () => {
    const { id, ids } = await startedMove([await world.cohortWith(2)], {});
    expect((await control('stopBulkOperation', id)).body).toMatchObject({ status: 'stopped', stopped_because: null });
    expect(await world.workOnce()).toBe(false);
    expect((await control('resumeBulkOperation', id)).status).toBe(409);
    expect((await world.apply(id)).status).toBe(409);
    expect(await world.statesOf(ids)).toEqual(['other', 'start']);
  });

  it('stops an operation that waits after its check', async () => {
    const { ids } = await world.cohortWith(1);
    const id = await world.checkedMove(ids);
    await control('stopBulkOperation', id);
    expect((await world.apply(id)).status).toBe(409);
    expect(await world.statesOf(ids)).toEqual(['start']);
  });
});

/** Fails while the experiment is written, as a bug would. */
const breakWritesOf = (id: number) =>
  server.sql(`create function break_write() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger break_write before update on experiments for each row when (new.id = ${id}) execute function break_write()`);

describe('an experiment whose write fails unexpectedly', () => {
  it.each([0, 1, 3])('is refused alone with internal_error, as number %i of its set', async (index) => {
    const { ids } = await world.cohortWith(4);
    const broken = ids[index] ?? 0;
    const id = await world.checkedMove(ids);
    await world.apply(id);
    await breakWritesOf(broken);
    await world.work();
    await server.sql('drop function break_write cascade');
    const operation = await world.read(id);
    expect(operation).toMatchObject({ status: 'finished', done: 3, refused: 1, ready: 0 });
    expect(operation.refusals).toMatchObject([{ code: 'internal_error', experiments: 1 }]);
    expect(await world.itemsOf(id, { query: { result: 'refused' } })).toMatchObject([{ experiment_id: broken }]);
    expect(await world.statesOf(ids)).toEqual(ids.map((one) => (one === broken ? 'start' : 'other')));
    for (const one of ids) expect(await world.actionsOf(one)).toHaveLength(one === broken ? 1 : 2);
    expect(String(world.context.errors.at(-1))).toContain('broken');
  });
});
