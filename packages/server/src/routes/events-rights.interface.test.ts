/** Who is told of what in the stream of events. */
import { permissions, type Permission } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { followEvents, told, type How, type Reading } from '../../testing/follow-events.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { openSession } from '../../testing/sessions.ts';
import { maySee } from './events.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const follow = (how?: How) => followEvents(server, how);

const happened = (reading: Reading) => told(reading).map(({ kind, object_id }) => [kind, object_id]);

describe('rights', () => {
  const nobody = { id: 7, permissions: new Set<Permission>() };
  const some = { ...nobody, scope: { kind: 'cohorts' as const, ids: [1, 2] } };
  const everything = { ...nobody, scope: { kind: 'all' as const } };

  it('show the events of the own cohorts, and those of none only to who sees everything', () => {
    const about = { object_kind: 'workflow', object_id: 1 };
    const seenBy = (account: typeof some | typeof everything) =>
      [1, 2, 3, null].filter((cohort_id) => maySee(account, { ...about, cohort_id }));
    expect(seenBy(some)).toEqual([1, 2]);
    expect(seenBy(everything)).toEqual([1, 2, 3, null]);
  });

  it.each([
    ['user', 'user_read_all', [7]],
    ['role', 'roles_manage', []],
  ] as const)('show what happens to a %s to those with %s, and to oneself', (object_kind, permission, own) => {
    const seenBy = (account: Parameters<typeof maySee>[0]) =>
      [7, 8].filter((object_id) => maySee(account, { object_kind, object_id, cohort_id: null }));
    expect(seenBy(everything)).toEqual(own);
    expect(seenBy(some)).toEqual(own);
    expect(seenBy({ ...everything, permissions: new Set(permissions.filter((one) => one !== permission)) })).toEqual(
      own,
    );
    expect(seenBy({ ...everything, permissions: new Set([permission]) })).toEqual([7, 8]);
  });

  it('tell nobody else who signs in, and whose account there is', async () => {
    const [reader, victim] = [await world.user(), await world.user()];
    const readings = [await follow({ as: reader.username }), await follow({ as: 'admin' })];
    await openSession(server, victim.username);
    await openSession(server, reader.username);
    await world.cohort();
    const last = ['createCohort', expect.any(Number)];
    const own = ['signIn', reader.id];
    await expect
      .poll(() => readings.map(happened))
      .toEqual([
        [own, last],
        [['signIn', victim.id], own, last],
      ]);
    await Promise.all(readings.map(({ stop }) => stop()));
  });

  it.each(['deactivated', 'without a role'])('end the stream of somebody who is %s', async (how) => {
    const username = world.fresh('reader').replace(' ', '_');
    const id = await server.addUser(username, ['user']);
    const reading = await follow({ as: username });
    if (how === 'deactivated') await server.call('updateUser', { params: { id }, body: { active: false } });
    else await server.call('removeUserRole', { params: { username, role_name: 'user' } });
    await reading.ended;
    await expect(follow({ as: username })).rejects.toMatchObject({ status: how === 'deactivated' ? 401 : 403 });
  });
});
