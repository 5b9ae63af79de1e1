/**
 * Roles for individual cohorts: assigning and removing them, and the access that they grant from the next request on.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import { basic, permissions, readMessages } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { withClient } from '../../../testing/test-database.ts';
import { openSession } from '../../../testing/sessions.ts';
import { createTestToken } from '../../../testing/tokens.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface TestUser {
  id: number;
  username: string;
}

async function createUserWithoutRoles(): Promise<TestUser> {
  const username = world.fresh('no_role').replace(' ', '_');
  return { id: await server.addUser(username, []), username };
}

type Change = 'assignCohortRole' | 'removeCohortRole';
const set = (name: Change, { username }: TestUser, role_name: string, { id: cohort_id }: { id: number }) =>
  server.call(name, { params: { username, role_name, cohort_id } });

describe('PUT and DELETE /users/{username}/roles/{role_name}/cohorts/{cohort_id}', () => {
  it('return the same response and add no history entry when repeated', async () => {
    const [user, cohort] = [await createUserWithoutRoles(), await world.cohort()];
    const entries = () =>
      server.sql(
        `select operation, after from history_with_values where object_kind = 'user' and object_id = $1 order by id`,
        [user.id],
      );
    for (const [name, has_role] of [
      ['assignCohortRole', true],
      ['removeCohortRole', false],
    ] as const) {
      const first = await set(name, user, 'superuser', cohort);
      expect(first).toMatchObject({ status: 200, body: { user: user.username, role: 'superuser', has_role } });
      expect(first.body.cohort).toEqual({ id: cohort.id, label: cohort.label, uri: `/api/v2/cohorts/${cohort.id}` });
      const recorded = await entries();
      const after = { role: 'superuser', cohort_id: cohort.id, cohort: cohort.label, has_role };
      expect(recorded.at(-1)).toEqual({ operation: name, after });
      expect(await set(name, user, 'superuser', cohort)).toMatchObject({ status: 200, body: first.body });
      expect(await entries()).toEqual(recorded);
    }
  });

  it('affect the role for one cohort, but not the same role for all cohorts', async () => {
    const [user, cohort] = [await createUserWithoutRoles(), await world.cohort()];
    const held = async () => {
      const { roles } = (await server.call('getUserRoles', { params: { id: user.id }, as: user.username })).body;
      return roles.map((role: { cohort: { id: number } | null }) => role.cohort?.id ?? null);
    };
    const forAllCohorts = { params: { username: user.username, role_name: 'user' } };
    await set('assignCohortRole', user, 'user', cohort);
    await server.call('assignUserRole', forAllCohorts);
    expect(await held()).toEqual([null, cohort.id]);
    await server.call('removeUserRole', forAllCohorts);
    expect(await held()).toEqual([cohort.id]);
    await server.call('assignUserRole', forAllCohorts);
    await set('removeCohortRole', user, 'user', cohort);
    expect(await held()).toEqual([null]);
  });
});

describe('a user with roles_manage for one cohort only', () => {
  it('cannot assign a role for another cohort', async () => {
    const [user, cohort] = [await createUserWithoutRoles(), await world.cohort()];
    await set('assignCohortRole', user, 'admin', cohort);
    const params = { username: user.username, role_name: 'admin', cohort_id: (await world.cohort()).id };
    const { status, body } = await server.call('assignCohortRole', { params, as: user.username });
    expect([status, body.code]).toEqual([403, 'not_allowed']);
    expect((await server.call('getSession', { as: user.username })).body.cohort_roles).toHaveLength(1);
  });
});

const createUser = async (all_cohorts?: boolean): Promise<TestUser> => {
  const username = world.fresh('person').replace(' ', '_');
  const body = { username, email: `${username}@example.org`, password: testPassword, all_cohorts };
  return (await server.call('createUser', { body })).body;
};
const cohortsSeenBy = async ({ username: as }: TestUser) => {
  const { status, body } = await server.call('listCohorts', { as });
  return status === 200 ? body.cohorts.map(({ id }: { id: number }) => id) : body.code;
};

describe('a user created with `all_cohorts: false`', () => {
  it('sees no cohort before a role is assigned, and then only the cohort of that role', async () => {
    const [user, cohort, other] = [await createUser(false), await world.cohort(), await world.cohort()];
    expect(await cohortsSeenBy(user)).toBe('not_allowed');
    await set('assignCohortRole', user, 'user', cohort);
    expect(await cohortsSeenBy(user)).toEqual([cohort.id]);
    for (const seesAll of [await createUser(), await createUser(true)]) {
      expect(await cohortsSeenBy(seesAll)).toEqual(expect.arrayContaining([cohort.id, other.id]));
    }
  });

  it('has no role in the first history entry', async () => {
    const { id } = await createUser(false);
    const entries = await server.sql(
      `select operation, after -> 'roles' as roles from history_with_values where object_kind = 'user' and object_id = $1`,
      [id],
    );
    expect(entries).toEqual([{ operation: 'createUser', roles: [] }]);
  });
});

describe('a role in a cohort', () => {
  it('applies to the next request with Basic credentials, a session or a token', async () => {
    const [user, { cohort, id }] = [await createUserWithoutRoles(), await world.subject()];
    const session = await openSession(server, user.username);
    await set('assignCohortRole', user, 'user', cohort);
    const token = await createTestToken(server, user, ['user_read']);
    await set('removeCohortRole', user, 'user', cohort);
    const credentials = [{ as: user.username }, session.parts, token.parts];
    const statuses = () =>
      Promise.all(
        credentials.map(async (parts) => (await server.call('getSubject', { params: { id }, ...parts })).status),
      );
    expect(await statuses()).toEqual([403, 403, 403]);
    await set('assignCohortRole', user, 'user', cohort);
    expect(await statuses()).toEqual([200, 200, 200]);
    await set('assignCohortRole', user, 'user', await world.cohort());
    await set('removeCohortRole', user, 'user', cohort);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('appears in the session with its permissions, separate from roles for all cohorts', async () => {
    const [user, cohort] = [await createUserWithoutRoles(), await world.cohort()];
    await set('assignCohortRole', user, 'admin', cohort);
    const { body } = await server.call('getSession', { as: user.username });
    const ref = { id: cohort.id, label: cohort.label, uri: `/api/v2/cohorts/${cohort.id}` };
    expect(body).toMatchObject({ roles: [], permissions: [] });
    expect(body.cohort_roles).toEqual([{ role: 'admin', cohort: ref, permissions: [...permissions] }]);
  });

  it('grants its permissions in its cohort, but not in a cohort where the user can only read', async () => {
    const user = await createUserWithoutRoles();
    const [mine, others] = [await world.subject(), await world.subject()];
    await set('assignCohortRole', user, 'superuser', mine.cohort);
    await set('assignCohortRole', user, 'user', others.cohort);
    const moves = async ({ id }: { id: number }) => {
      const as = user.username;
      const { body } = await server.call('getExperimentTransitions', { params: { id }, as });
      const move = { params: { id }, body: { state_label: 'checked' }, as };
      return [body.transitions[0].missing_permission, (await server.call('setExperimentState', move)).status];
    };
    expect(await moves(await world.experimentOf(mine))).toEqual([null, 200]);
    expect(await moves(await world.experimentOf(others))).toEqual(['sample_state_update', 404]);
  });

  it('grants a token only the permissions that role and token share, and only in its cohort', async () => {
    const user = await createUserWithoutRoles();
    const [mine, others] = [await world.subject(), await world.subject()];
    await set('assignCohortRole', user, 'superuser', mine.cohort);
    const [able, narrow] = [
      await createTestToken(server, user, ['sample_add']),
      await createTestToken(server, user, ['user_read']),
    ];
    const change = async ({ id }: { id: number }, { parts }: typeof able) =>
      (await server.call('updateSubject', { params: { id }, body: { date_of_birth: '1951-03-08' }, ...parts })).status;
    expect([await change(mine, able), await change(others, able)]).toEqual([200, 404]);
    expect([await change(mine, narrow), await change(others, narrow)]).toEqual([403, 403]);
    const { body } = await server.call('getSession', able.parts);
    expect(body.cohort_roles).toMatchObject([{ role: 'superuser', permissions: ['sample_add'] }]);
  });

  it('does not let a cursor reveal the label of an experiment in another cohort', async () => {
    const [user, mine, others] = [await createUserWithoutRoles(), await world.subject(), await world.subject()];
    await set('assignCohortRole', user, 'user', mine.cohort);
    const [own, foreign] = [await world.experimentOf(mine), await world.experimentOf(others)];
    const listAfter = async (label: string) => {
      await server.call('updateExperiment', { params: { id: foreign.id }, body: { label } });
      const query = { label: own.label, after: foreign.id };
      const { body } = await server.call('listExperimentRows', { query, as: user.username });
      return body.experiments.map(({ id }: { id: number }) => id);
    };
    expect([await listAfter('!'), await listAfter('~')]).toEqual([[own.id], [own.id]]);
  });

  it('does not make the user an administrator, even if the role is `admin`', async () => {
    const [user, cohort] = [await createUserWithoutRoles(), await world.cohort()];
    await set('assignCohortRole', user, 'admin', cohort);
    const { body } = await server.call('removeUserRole', { params: { username: 'admin', role_name: 'admin' } });
    expect(body.code).toBe('last_admin');
  });

  it('prevents callers without its permissions from changing its user', async () => {
    const [user, cohort] = [await createUserWithoutRoles(), await world.cohort()];
    await set('assignCohortRole', user, 'superuser', cohort);
    const changePassword = async (...rights: Parameters<World['user']>) => {
      const { username: as } = await world.user('user_update_all', ...rights);
      const password = 'mine from now on';
      return (await server.call('updateUser', { params: { id: user.id }, body: { password }, as })).body.detail;
    };
    expect(await changePassword('user_read')).toMatch(
      /^This user has permissions that you do not have: sample_state_update, /,
    );
    expect(await changePassword(...permissions)).toBeUndefined();
  });
});

describe('a response stored under an idempotency key', () => {
  it('is repeated only while the caller still has access to the cohort', async () => {
    const user = await createUserWithoutRoles();
    const [first, second] = [await world.cohort(), await world.cohort()];
    for (const cohort of [first, second]) await set('assignCohortRole', user, 'superuser', cohort);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { label: world.fresh('subject'), cohort_label: first.label };
    const create = async () => (await server.call('createSubject', { body, headers, as: user.username })).status;
    expect([await create(), await create()]).toEqual([201, 201]);
    await set('assignCohortRole', user, 'superuser', await world.cohort());
    expect(await create()).toBe(201);
    await set('removeCohortRole', user, 'superuser', first);
    expect(await create()).toBe(403);
  });
});

describe('an event stream', () => {
  it('stops sending events of a cohort when the role for that cohort is removed, and continues with other cohorts', async () => {
    const user = await createUserWithoutRoles();
    const [kept, lost] = [await world.subject(), await world.subject()];
    for (const { cohort } of [kept, lost]) await set('assignCohortRole', user, 'user', cohort);
    const stop = new AbortController();
    const response = await fetch(`${server.baseUrl}/events?kind=updateSubject`, {
      headers: { authorization: basic(user.username, testPassword) },
      signal: stop.signal,
    });
    if (!response.body) throw new Error('no stream');
    const messages = readMessages(response.body)[Symbol.asyncIterator]();
    await messages.next();
    let day = 0;
    const changeBirthDate = ({ id }: { id: number }) =>
      server.call('updateSubject', {
        params: { id },
        body: { date_of_birth: `1950-01-${String(++day).padStart(2, '0')}` },
      });
    /** Changes both subjects and returns the cohorts of the events up to the one of the kept cohort. */
    const receiveCohorts = async () => {
      await changeBirthDate(lost);
      await changeBirthDate(kept);
      const cohorts: number[] = [];
      while (cohorts.at(-1) !== kept.cohort.id) {
        const { value } = await messages.next();
        cohorts.push((value as { data: { cohort_id: number } }).data.cohort_id);
      }
      return cohorts;
    };
    expect(await receiveCohorts()).toEqual([lost.cohort.id, kept.cohort.id]);
    await set('removeCohortRole', user, 'user', lost.cohort);
    await expect.poll(receiveCohorts, { interval: 1000 }).toEqual([kept.cohort.id]);
    stop.abort();
  });
});

describe('a subject that is moving to another cohort', () => {
  it('is not found when a user of its old cohort creates an experiment for it', async () => {
    const [user, subject, workflow] = [await createUserWithoutRoles(), await world.subject(), await world.workflow()];
    const elsewhere = await world.cohort();
    await set('assignCohortRole', user, 'superuser', subject.cohort);
    const body = { label: world.fresh('experiment'), subject_id: subject.id, workflow_label: workflow.label };
    await withClient(server.testDatabase.ownerUrl, async (mover) => {
      await mover.query('begin');
      await mover.query('update subjects set cohort_id = $1 where id = $2', [elsewhere.id, subject.id]);
      const creating = server.call('createExperiment', { as: user.username, body });
      const [own] = (await mover.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
      // On another connection, because a transaction caches its first read of pg_stat_activity. Other sessions can wait for something else.
      const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      await expect.poll(() => server.sql(blocked, [own?.pid])).not.toHaveLength(0);
      await mover.query('commit');
      const fault = { pointer: '/subject_id', detail: `No subject with id ${subject.id}.` };
      expect(await creating).toMatchObject({ status: 404, body: { code: 'not_found', errors: [fault] } });
    });
    expect(await server.sql('select from experiments where subject_id = $1', [subject.id])).toEqual([]);
  });
});
