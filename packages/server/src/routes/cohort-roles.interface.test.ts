/**
 * Roles for named cohorts: giving and taking them, what they open, and that a change of them acts at the next request.
 *
 * @module-tag sql
 */
import { randomUUID } from 'node:crypto';
import { basic, permissions, readMessages } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { withClient } from '../../testing/postgres.ts';
import { openSession } from '../../testing/sessions.ts';
import { openToken } from '../../testing/tokens.ts';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface Somebody {
  id: number;
  username: string;
}

/** With no role at all. */
async function nobody(): Promise<Somebody> {
  const username = world.fresh('nobody').replace(' ', '_');
  return { id: await server.addUser(username, []), username };
}

type Change = 'assignCohortRole' | 'removeCohortRole';
const set = (name: Change, { username }: Somebody, role_name: string, { id: cohort_id }: { id: number }) =>
  server.call(name, { params: { username, role_name, cohort_id } });

describe('PUT and DELETE /users/{username}/roles/{role_name}/cohorts/{cohort_id}', () => {
  it('are idempotent: again is 200 with the same answer and no entry in the history', async () => {
    const [one, cohort] = [await nobody(), await world.cohort()];
    const entries = () =>
      server.sql(
        `select operation, after from history_with_values where object_kind = 'user' and object_id = $1 order by id`,
        [one.id],
      );
    for (const [name, has_role] of [
      ['assignCohortRole', true],
      ['removeCohortRole', false],
    ] as const) {
      const first = await set(name, one, 'superuser', cohort);
      expect(first).toMatchObject({ status: 200, body: { user: one.username, role: 'superuser', has_role } });
      expect(first.body.cohort).toEqual({ id: cohort.id, label: cohort.label, uri: `/api/v2/cohorts/${cohort.id}` });
      const told = await entries();
      const after = { role: 'superuser', cohort_id: cohort.id, cohort: cohort.label, has_role };
      expect(told.at(-1)).toEqual({ operation: name, after });
      expect(await set(name, one, 'superuser', cohort)).toMatchObject({ status: 200, body: first.body });
      expect(await entries()).toEqual(told);
    }
  });

  it('leave the role for all cohorts as it is, and that leaves them', async () => {
    const [one, cohort] = [await nobody(), await world.cohort()];
    const held = async () => {
      const { roles } = (await server.call('getUserRoles', { params: { id: one.id }, as: one.username })).body;
      return roles.map(({ cohort: its }: { cohort: { id: number } | null }) => its?.id ?? null);
    };
    const whole = { params: { username: one.username, role_name: 'user' } };
    await set('assignCohortRole', one, 'user', cohort);
    await server.call('assignUserRole', whole);
    expect(await held()).toEqual([null, cohort.id]);
    await server.call('removeUserRole', whole);
    expect(await held()).toEqual([cohort.id]);
    await server.call('assignUserRole', whole);
    await set('removeCohortRole', one, 'user', cohort);
    expect(await held()).toEqual([null]);
  });

  it('cannot be reached by roles_manage for a cohort, be it the own one', async () => {
    const [one, cohort] = [await nobody(), await world.cohort()];
    await set('assignCohortRole', one, 'admin', cohort);
    const params = { username: one.username, role_name: 'admin', cohort_id: (await world.cohort()).id };
    const { status, body } = await server.call('assignCohortRole', { params, as: one.username });
    expect([status, body.code]).toEqual([403, 'not_allowed']);
    expect((await server.call('getSession', { as: one.username })).body.cohort_roles).toHaveLength(1);
  });
});

const make = async (all_cohorts?: boolean): Promise<Somebody> => {
  const username = world.fresh('person').replace(' ', '_');
  const body = { username, email: `${username}@example.org`, password: testPassword, all_cohorts };
  return (await server.call('createUser', { body })).body;
};
const cohortsSeenBy = async ({ username: as }: Somebody) => {
  const { status, body } = await server.call('listCohorts', { as });
  return status === 200 ? body.cohorts.map(({ id }: { id: number }) => id) : body.code;
};

describe('an account that is made with all_cohorts: false', () => {
  it('sees no cohort until one is given, and then that one alone', async () => {
    const [one, cohort, other] = [await make(false), await world.cohort(), await world.cohort()];
    expect(await cohortsSeenBy(one)).toBe('not_allowed');
    await set('assignCohortRole', one, 'user', cohort);
    expect(await cohortsSeenBy(one)).toEqual([cohort.id]);
    for (const seesAll of [await make(), await make(true)]) {
      expect(await cohortsSeenBy(seesAll)).toEqual(expect.arrayContaining([cohort.id, other.id]));
    }
  });

  it('never had a role, and the history says so', async () => {
    const { id } = await make(false);
    const entries = await server.sql(
      `select operation, after -> 'roles' as roles from history_with_values where object_kind = 'user' and object_id = $1`,
      [id],
    );
    expect(entries).toEqual([{ operation: 'createUser', roles: [] }]);
  });
});

describe('a role for a cohort', () => {
  it('acts at the next request, with Basic credentials, with a session and with a token', async () => {
    const [one, { cohort, id }] = [await nobody(), await world.subject()];
    const session = await openSession(server, one.username);
    const token = await openToken(server, one);
    const ways = [{ as: one.username }, session.parts, token.parts];
    const statuses = () =>
      Promise.all(ways.map(async (way) => (await server.call('getSubject', { params: { id }, ...way })).status));
    expect(await statuses()).toEqual([403, 403, 403]);
    await set('assignCohortRole', one, 'user', cohort);
    expect(await statuses()).toEqual([200, 200, 200]);
    await set('assignCohortRole', one, 'user', await world.cohort());
    await set('removeCohortRole', one, 'user', cohort);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it('is shown with what it carries, apart from what holds for all cohorts', async () => {
    const [one, cohort] = [await nobody(), await world.cohort()];
    await set('assignCohortRole', one, 'admin', cohort);
    const { body } = await server.call('getSession', { as: one.username });
    const ref = { id: cohort.id, label: cohort.label, uri: `/api/v2/cohorts/${cohort.id}` };
    expect(body).toMatchObject({ roles: [], permissions: [] });
    expect(body.cohort_roles).toEqual([{ role: 'admin', cohort: ref, permissions: [...permissions] }]);
  });

  it('carries its permissions for that cohort and not for others where one may only read', async () => {
    const one = await nobody();
    const [mine, others] = [await world.subject(), await world.subject()];
    await set('assignCohortRole', one, 'superuser', mine.cohort);
    await set('assignCohortRole', one, 'user', others.cohort);
    const moves = async ({ id }: { id: number }) => {
      const as = one.username;
      const { body } = await server.call('getExperimentTransitions', { params: { id }, as });
      const move = { params: { id }, body: { state_label: 'checked' }, as };
      return [body.transitions[0].missing_permission, (await server.call('setExperimentState', move)).status];
    };
    expect(await moves(await world.experimentOf(mine))).toEqual([null, 200]);
    expect(await moves(await world.experimentOf(others))).toEqual(['sample_state_update', 404]);
  });

  it('gives a token what both carry, for that cohort alone', async () => {
    const one = await nobody();
    const [mine, others] = [await world.subject(), await world.subject()];
    await set('assignCohortRole', one, 'superuser', mine.cohort);
    const [able, narrow] = [await openToken(server, one, ['sample_add']), await openToken(server, one, ['user_read'])];
    const change = async ({ id }: { id: number }, { parts }: typeof able) =>
      (await server.call('updateSubject', { params: { id }, body: { date_of_birth: '1951-03-08' }, ...parts })).status;
    expect([await change(mine, able), await change(others, able)]).toEqual([200, 404]);
    expect([await change(mine, narrow), await change(others, narrow)]).toEqual([403, 403]);
    const { body } = await server.call('getSession', able.parts);
    expect(body.cohort_roles).toMatchObject([{ role: 'superuser', permissions: ['sample_add'] }]);
  });

  it('tells nothing of the label of a foreign experiment by what stands behind it', async () => {
    const [one, mine, others] = [await nobody(), await world.subject(), await world.subject()];
    await set('assignCohortRole', one, 'user', mine.cohort);
    const [own, foreign] = [await world.experimentOf(mine), await world.experimentOf(others)];
    const behind = async (label: string) => {
      await server.call('updateExperiment', { params: { id: foreign.id }, body: { label } });
      const query = { label: own.label, after: foreign.id };
      const { body } = await server.call('listExperimentRows', { query, as: one.username });
      return body.experiments.map(({ id }: { id: number }) => id);
    };
    expect([await behind('!'), await behind('~')]).toEqual([[own.id], [own.id]]);
  });

  it('makes nobody the last admin', async () => {
    const [one, cohort] = [await nobody(), await world.cohort()];
    await set('assignCohortRole', one, 'admin', cohort);
    const { body } = await server.call('removeUserRole', { params: { username: 'admin', role_name: 'admin' } });
    expect(body.code).toBe('last_admin');
  });

  it('makes an account stronger than one that lacks what it carries', async () => {
    const [one, cohort] = [await nobody(), await world.cohort()];
    await set('assignCohortRole', one, 'superuser', cohort);
    const take = async (...rights: Parameters<World['user']>) => {
      const { username: as } = await world.user('user_update_all', ...rights);
      const password = 'mine from now on';
      return (await server.call('updateUser', { params: { id: one.id }, body: { password }, as })).body.detail;
    };
    expect(await take('user_read')).toMatch(/^This user has permissions that you lack: sample_state_update, /);
    expect(await take(...permissions)).toBeUndefined();
  });
});

describe('an answer that was kept under a key', () => {
  it('is repeated to those only who still reach what they reached', async () => {
    const one = await nobody();
    const [first, second] = [await world.cohort(), await world.cohort()];
    for (const cohort of [first, second]) await set('assignCohortRole', one, 'superuser', cohort);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { label: world.fresh('subject'), cohort_label: first.label };
    const create = async () => (await server.call('createSubject', { body, headers, as: one.username })).status;
    expect([await create(), await create()]).toEqual([201, 201]);
    await set('assignCohortRole', one, 'superuser', await world.cohort());
    expect(await create()).toBe(201);
    await set('removeCohortRole', one, 'superuser', first);
    expect(await create()).toBe(403);
  });
});

describe('a stream of events', () => {
  it('shows no more of a cohort whose role was taken away, and goes on with the others', async () => {
    const one = await nobody();
    const [kept, lost] = [await world.subject(), await world.subject()];
    for (const { cohort } of [kept, lost]) await set('assignCohortRole', one, 'user', cohort);
    const stop = new AbortController();
    const response = await fetch(`${server.baseUrl}/events?kind=updateSubject`, {
      headers: { authorization: basic(one.username, testPassword) },
      signal: stop.signal,
    });
    if (!response.body) throw new Error('no stream');
    const messages = readMessages(response.body)[Symbol.asyncIterator]();
    await messages.next();
    let day = 0;
    const born = ({ id }: { id: number }) =>
      server.call('updateSubject', {
        params: { id },
        body: { date_of_birth: `1950-01-${String(++day).padStart(2, '0')}` },
      });
    /** The cohorts of what comes until something of the kept one does. */
    const heard = async () => {
      await born(lost);
      await born(kept);
      const cohorts: number[] = [];
      while (cohorts.at(-1) !== kept.cohort.id) {
        const { value } = await messages.next();
        cohorts.push((value as { data: { cohort_id: number } }).data.cohort_id);
      }
      return cohorts;
    };
    expect(await heard()).toEqual([lost.cohort.id, kept.cohort.id]);
    await set('removeCohortRole', one, 'user', lost.cohort);
    await expect.poll(heard, { interval: 1000 }).toEqual([kept.cohort.id]);
    stop.abort();
  });
});

describe('a subject that is moved to another cohort', () => {
  it('while somebody of its old one makes an experiment of it, gets none: 404', async () => {
    const [one, subject, workflow] = [await nobody(), await world.subject(), await world.workflow()];
    const elsewhere = await world.cohort();
    await set('assignCohortRole', one, 'superuser', subject.cohort);
    const body = { label: world.fresh('experiment'), subject_id: subject.id, workflow_label: workflow.label };
    await withClient(server.testDatabase.ownerUrl, async (mover) => {
      await mover.query('begin');
      await mover.query('update subjects set cohort_id = $1 where id = $2', [elsewhere.id, subject.id]);
      const making = server.call('createExperiment', { as: one.username, body });
      // By another connection: within a transaction the first look at who is there is kept.
      const behind = `select from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
      await expect.poll(() => server.sql(behind)).toHaveLength(1);
      await mover.query('commit');
      const fault = { pointer: '/subject_id', detail: `There is no subject with the id ${subject.id}.` };
      expect(await making).toMatchObject({ status: 404, body: { code: 'not_found', errors: [fault] } });
    });
    expect(await server.sql('select from experiments where subject_id = $1', [subject.id])).toEqual([]);
  });
});
