/** The lifetime of sessions, events that end them early, and reauthentication. */
import { sessionCookie, unattended } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { cookieOf, createSessionUsers, openSession, signIn } from '../../../testing/sessions.ts';
import { createPasswords } from '../../passwords.ts';
import { removeOutdated } from '../../store/record/retention.ts';

let server: TestServer;
let world: World;
let person: ReturnType<typeof createSessionUsers>['person'];
let codeOf: ReturnType<typeof createSessionUsers>['codeOf'];
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  ({ person, codeOf } = createSessionUsers(server, world));
});
afterAll(() => server.stop());

const newPassword = 'another fine sentence';
const set = (id: number, change: string) => server.sql(`update sessions set ${change} where id = $1`, [id]);
/** Moves the session into the past. */
const setBack = (id: number, by: string, unused = by) =>
  set(
    id,
    `created_at = created_at - interval '${by}', expires_at = expires_at - interval '${by}',
     last_used_at = last_used_at - interval '${unused}'`,
  );
const lastUsed = (id: number) =>
  server.sql<{ at: Date }>('select last_used_at as at from sessions where id = $1', [id]);

describe('a session', () => {
  it('ends after 60 minutes without a request (V7.3.1)', async () => {
    const [one, other] = [await person(), await person()];
    await setBack(one.id, '2 hours', '55 minutes');
    await setBack(other.id, '2 hours', '60 minutes 1 second');
    expect(await codeOf(one.parts)).toBe('open');
    expect(await codeOf(other.parts)).toBe('session_ended');
    expect((await server.call('listSessions', { as: other.username })).body.sessions).toEqual([]);
  });

  it('ends after 12 hours, even if it is in use (V7.3.2)', async () => {
    const { id, parts } = await person();
    await setBack(id, '11 hours 55 minutes');
    await set(id, 'last_used_at = clock_timestamp()');
    expect(await codeOf(parts)).toBe('open');
    await setBack(id, '5 minutes 1 second');
    await set(id, 'last_used_at = clock_timestamp()');
    expect(await codeOf(parts)).toBe('session_ended');
  });

  it('is not extended by a background request of a page', async () => {
    const { id, parts } = await person();
    await setBack(id, '5 minutes');
    const [before] = await lastUsed(id);
    expect(await codeOf({ ...parts, headers: { ...parts.headers, [unattended]: 'true' } })).toBe('open');
    expect((await lastUsed(id))[0]?.at).toEqual(before?.at);
    expect(await codeOf(parts)).toBe('open');
    expect((await lastUsed(id))[0]?.at).not.toEqual(before?.at);
  });

  it('is extended by requests, which are recorded at most once a minute', async () => {
    const { id, parts } = await person();
    // In the future, so that the minute has not passed when the request arrives.
    await set(id, `last_used_at = clock_timestamp() + interval '5 minutes'`);
    const [before] = await lastUsed(id);
    expect(await codeOf(parts)).toBe('open');
    expect(await lastUsed(id)).toEqual([before]);
    await setBack(id, '2 hours', '6 minutes 1 second');
    const [outdated] = await lastUsed(id);
    await server.sql(`create table written as select from sessions limit 0;
      create function count_writes() returns trigger language plpgsql security definer as
        $$ begin insert into written default values; return new; end $$;
      create trigger counts before update on sessions for each row execute function count_writes()`);
    await Promise.all(Array.from({ length: 8 }, async () => expect(await codeOf(parts)).toBe('open')));
    await server.sql('drop trigger counts on sessions');
    expect(await server.sql('select from written')).toHaveLength(1);
    expect((await lastUsed(id))[0]?.at.getTime()).toBeGreaterThan(outdated?.at.getTime() ?? Infinity);
  });

  it('is read without waiting for a lock on its row', async () => {
    const { id, parts } = await person();
    await setBack(id, '61 seconds');
    await server.database.db.transaction().execute(async (tx) => {
      await tx.selectFrom('sessions').select('id').where('id', '=', id).forUpdate().execute();
      expect(await codeOf(parts)).toBe('open');
    });
  });

  it('is deleted one day after it expires', async () => {
    const [recent, old] = [await person(), await person()];
    await setBack(recent.id, '35 hours');
    await setBack(old.id, '37 hours');
    await removeOutdated(server.database.db, { events: 14, logs: 0, sessions: 1, bulkOperations: 1, imports: 1 });
    const rows = await server.sql<{ id: string }>('select id from sessions where id = any($1)', [[recent.id, old.id]]);
    expect(rows.map(({ id }) => Number(id))).toEqual([recent.id]);
  });
});

describe('an open session', () => {
  it('ends when its user signs out, and its cookie is cleared (V7.4.1)', async () => {
    const { parts, username } = await person();
    const other = await openSession(server, username);
    const answer = await server.call('signOut', parts);
    expect(answer.body).toEqual({ ended: true });
    expect(cookieOf(answer)).toBe(`${sessionCookie}=`);
    expect(await codeOf(parts)).toBe('session_ended');
    expect(await codeOf(other.parts)).toBe('open');
  });

  it('can be ended by endSession, which clears the cookie only for the current session', async () => {
    const { id, parts, username } = await person();
    const other = await openSession(server, username);
    const answer = await server.call('endSession', { ...parts, params: { id: other.id } });
    expect(answer.body).toMatchObject({ id: other.id, current: false });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await codeOf(other.parts)).toBe('session_ended');
    const own = await server.call('endSession', { ...parts, params: { id } });
    expect([own.body.current, cookieOf(own)]).toEqual([true, `${sessionCookie}=`]);
    expect(await codeOf(parts)).toBe('session_ended');
  });

  it.each([
    ['an administrator changes the password', 'updateUser', { password: newPassword }],
    ['updateUser deactivates its user', 'updateUser', { active: false }],
    ['deleteUser deactivates its user', 'deleteUser', undefined],
  ] as const)('ends permanently after %s (V7.4.2, V7.4.5)', async (_what, name, body) => {
    const { userId, parts } = await person();
    expect((await server.call(name, { params: { id: userId }, body })).status).toBe(200);
    expect(await codeOf(parts)).toBe('session_ended');
    await server.call('updateUser', { params: { id: userId }, body: { active: true } });
    expect(await codeOf(parts)).toBe('session_ended');
  });

  it('ends after an import only if the import changes the password', async () => {
    const { username, parts } = await person();
    const config = (password: string) => ({
      config_definition: JSON.stringify({ users: [{ username, email: `${username}@example.org`, password }] }),
    });
    await server.call('overwriteConfig', { body: config(testPassword) });
    expect(await codeOf(parts)).toBe('open');
    await server.call('overwriteConfig', { body: config(newPassword) });
    expect(await codeOf(parts)).toBe('session_ended');
  });

  it('does not end after a change of name or role', async () => {
    const { userId, username, parts } = await person();
    await server.call('updateUser', { params: { id: userId }, body: { name: 'Ann' } });
    await server.call('assignUserRole', { params: { username, role_name: 'superuser' } });
    const { body } = await server.call('getSession', parts);
    expect(body).toMatchObject({ user: { name: 'Ann' }, roles: expect.arrayContaining(['superuser']) });
  });
});

describe('a sign-in with the old password', () => {
  it('fails if the password changes during the sign-in', async () => {
    const { id, username } = await world.user();
    const { db } = server.database;
    const other = 'a third fine sentence';
    const signing = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
      const answer = signIn(server, username);
      const waiting = () =>
        server.sql(
          'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
        );
      await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(1);
      await tx
        .updateTable('users')
        .set({ password_hash: await createPasswords().hash(other) })
        .where('id', '=', id)
        .execute();
      return [answer] as const;
    });
    expect((await signing[0]).status).toBe(401);
    expect((await signIn(server, username, { password: other })).status).toBe(201);
  });
});

const put = ({ parts, userId }: Awaited<ReturnType<typeof person>>, body: object) =>
  server.call('updateUser', { ...parts, params: { id: userId }, body });

async function administrator() {
  const { id, username } = await world.user('user_update_all');
  return { userId: id, ...(await openSession(server, username)) };
}

describe('an administrator’s session', () => {
  it.each([
    ['the password', { password: newPassword }],
    ['the e-mail', { email: 'theirs@example.org' }],
  ])('can change %s of another user only with the administrator’s password (V7.5.1)', async (_what, change) => {
    const [{ parts }, { id }] = [await administrator(), await world.user()];
    const send = (current?: object) =>
      server.call('updateUser', { ...parts, params: { id }, body: { ...change, ...current } });
    for (const refused of [await send(), await send({ current_password: 'wrong' })]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'not_allowed']);
      expect(refused.body.errors).toMatchObject([{ pointer: '/current_password' }]);
    }
    expect((await send({ current_password: testPassword })).status).toBe(200);
  });

  it('can change another user’s e-mail within 15 minutes of signing in if the administrator has no password', async () => {
    const [{ userId, id: session, parts }, { id }] = [await administrator(), await world.user()];
    await server.sql('update users set password_hash = null where id = $1', [userId]);
    const send = (email: string) => server.call('updateUser', { ...parts, params: { id }, body: { email } });
    await setBack(session, '10 minutes');
    expect((await send('within@example.org')).status).toBe(200);
    await setBack(session, '6 minutes');
    const { status, body } = await send('after@example.org');
    expect([status, body.code, body.errors]).toEqual([403, 'not_allowed', []]);
    expect(body.detail).toContain('sign in again');
  });
});

describe('the caller’s own e-mail and password', () => {
  it.each([
    ['a new password but not the current one', { password: newPassword }],
    ['a new e-mail but not the password', { email: 'mine@example.org' }],
    ['a new password and a wrong current one', { password: newPassword, current_password: 'wrong' }],
  ])('cannot be changed by a request with %s (V6.2.3, V7.5.1)', async (_what, change) => {
    const user = await person();
    const { status, body } = await put(user, change);
    expect([status, body.code]).toEqual([403, 'not_allowed']);
    expect(body.errors).toMatchObject([{ pointer: '/current_password' }]);
    expect(await codeOf(user.parts)).toBe('open');
  });

  it('can be changed with the current password, which replaces the session and ends all others (V7.4.3)', async () => {
    const user = await person();
    const other = await openSession(server, user.username);
    const email = `new.${user.username}@example.org`;
    const answer = await put(user, { email, password: newPassword, current_password: testPassword });
    expect(answer.body.email).toBe(email);
    for (const { parts } of [user, other]) expect(await codeOf(parts)).toBe('session_ended');
    const renewed = { ...user.parts, headers: { ...user.parts.headers, cookie: cookieOf(answer) } };
    expect(await codeOf(renewed)).toBe('open');
    expect((await signIn(server, email, { password: newPassword })).status).toBe(201);
  });

  it('can be changed without starting a session if the request has no session', async () => {
    const { id, username } = await world.user();
    const answer = await server.call('updateUser', { as: username, params: { id }, body: { password: newPassword } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
  });

  it('can be changed only by an administrator if the account has no password', async () => {
    const user = await person();
    await server.sql('update users set password_hash = null where id = $1', [user.userId]);
    expect((await server.call('getSession', user.parts)).body.has_password).toBe(false);
    for (const change of [{ email: 'mine@example.org' }, { password: newPassword, current_password: testPassword }]) {
      const { status, body } = await put(user, change);
      expect([status, body.code, body.errors]).toEqual([403, 'not_allowed', []]);
      expect(body.detail).toContain('Ask an administrator');
    }
    expect((await put(user, { name: 'Me' })).body.name).toBe('Me');
    const { body } = await server.call('updateUser', {
      params: { id: user.userId },
      body: { email: `moved.${user.username}@example.org` },
    });
    expect(body.email).toBe(`moved.${user.username}@example.org`);
  });

  it('need no current password if a request changes only the name and repeats the e-mail', async () => {
    const user = await person();
    const { body } = await server.call('getUser', { ...user.parts, params: { id: user.userId } });
    expect((await put(user, { ...body, name: 'Me' })).body.name).toBe('Me');
  });

  it('cannot be changed by guessing: after ten wrong passwords the request returns 429', async () => {
    const user = await person();
    for (let count = 0; count < 10; count++) {
      const change = { password: newPassword, current_password: `wrong ${count}` };
      expect((await put(user, change)).status).toBe(403);
    }
    const another = { password: newPassword, current_password: 'wrong again' };
    expect((await put(user, another)).status).toBe(429);
  });
});
