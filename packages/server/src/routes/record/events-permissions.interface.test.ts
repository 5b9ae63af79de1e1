/** Which events a user receives in the event stream. */
import { permissions, type Permission } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { followEvents, eventsIn, type FollowOptions, type EventReader } from '../../../testing/follow-events.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { openSession } from '../../../testing/sessions.ts';
import { canSee } from './events.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const follow = (options?: FollowOptions) => followEvents(server, options);

const received = (reading: EventReader) => eventsIn(reading).map(({ kind, object_id }) => [kind, object_id]);

describe('the event stream', () => {
  const withoutPermissions = { id: 7, permissions: new Set<Permission>() };
  const someCohorts = { ...withoutPermissions, scope: { kind: 'cohorts' as const, ids: [1, 2] } };
  const allCohorts = { ...withoutPermissions, scope: { kind: 'all' as const } };

  it("contains events of the user's cohorts, and events without a cohort only for users with access to all cohorts", () => {
    const about = { object_kind: 'workflow', object_id: 1 };
    const seenBy = (account: typeof someCohorts | typeof allCohorts) =>
      [1, 2, 3, null].filter((cohort_id) => canSee(account, { ...about, cohort_id }));
    expect(seenBy(someCohorts)).toEqual([1, 2]);
    expect(seenBy(allCohorts)).toEqual([1, 2, 3, null]);
  });

  it.each([
    ['other users', 'user_read_all', 'user', [7]],
    ['roles', 'roles_manage', 'role', []],
  ] as const)('contains events about %s only for users with %s', (_what, permission, object_kind, own) => {
    const seenBy = (account: Parameters<typeof canSee>[0]) =>
      [7, 8].filter((object_id) => canSee(account, { object_kind, object_id, cohort_id: null }));
    expect(seenBy(allCohorts)).toEqual(own);
    expect(seenBy(someCohorts)).toEqual(own);
    expect(seenBy({ ...allCohorts, permissions: new Set(permissions.filter((one) => one !== permission)) })).toEqual(
      own,
    );
    expect(seenBy({ ...allCohorts, permissions: new Set([permission]) })).toEqual([7, 8]);
  });

  it('hides sign-ins of other users from users without user_read_all', async () => {
    const [reader, other] = [await world.user('user_read'), await world.user()];
    const readings = [await follow({ as: reader.username }), await follow({ as: 'admin' })];
    await openSession(server, other.username);
    await openSession(server, reader.username);
    await world.cohort();
    const last = ['createCohort', expect.any(Number)];
    const own = ['signIn', reader.id];
    await expect
      .poll(() => readings.map(received))
      .toEqual([
        [own, last],
        [['signIn', other.id], own, last],
      ]);
    await Promise.all(readings.map(({ stop }) => stop()));
  });

  type Reader = Awaited<ReturnType<World['user']>>;
  const endings: [string, number, (reader: Reader) => Promise<unknown>][] = [
    ['is deactivated', 401, ({ id }) => server.call('updateUser', { params: { id }, body: { active: false } })],
    [
      'loses the last role',
      403,
      ({ username }) => server.call('removeUserRole', { params: { username, role_name: `role of ${username}` } }),
    ],
    [
      'keeps only unknown permissions',
      403,
      ({ username }) => {
        const config_definition = `roles: [{name: role of ${username}, permissions: [sample_fly]}]`;
        return server.call('overwriteConfig', { body: { config_definition } });
      },
    ],
  ];
  it.each(endings)('ends when the user %s', async (_how, status, end) => {
    const reader = await world.user('user_read');
    const reading = await follow({ as: reader.username });
    await end(reader);
    await reading.ended;
    await expect(follow({ as: reader.username })).rejects.toMatchObject({ status });
  });
});
