import type { sessionOperations } from '@milepost/api';
import { testPassword } from '../server.ts';
import { openSession } from '../sessions.ts';
import { found, invalid, missing, missingParts, noSuchId, unknownParameter, wrongPages } from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const signedIn = async (world: World) => {
  const user = await world.user();
  return { ...user, session: await openSession(world, user.username) };
};
const openSessions = (userId: number, count: string) => ({
  query: 'select count(*) from sessions where user_id = $1 and ended_at is null',
  values: [userId],
  rows: [{ count }],
});
const nobodys = async () => ({ id: noSuchId });

export const sessionCases: SectionCases<typeof sessionOperations> = {
  signIn: {
    success: {
      'a username and its password': async (world) => {
        const { id, username } = await world.user('sample_add');
        return {
          // Credentials in a header are of no account here: those in the body count.
          request: { as: username, body: { username, password: testPassword } },
          status: 201,
          body: { user: { id, username }, permissions: ['sample_add'] },
          stored: openSessions(id, '1'),
        };
      },
    },
    validation: {
      'no password': () => invalid({ as: null, body: { username: 'x' } }, '/password'),
      'an unknown field': () =>
        invalid({ as: null, body: { username: 'x', password: 'y', remember: true } }, '/remember'),
    },
    'missing reference': {
      'a user that nobody is': () => ({
        request: { as: null, body: { username: 'nobody', password: testPassword } },
        status: 401,
        code: 'wrong_credentials',
      }),
    },
    conflict: none('Anybody may be signed in any number of times.'),
  },
  getSession: {
    success: {
      'with credentials': async (world) => {
        const { id, username } = await world.user('sample_add');
        const user = { id, username, uri: `/api/v2/users/${id}`, name: '', email: `${username}@example.org` };
        const body = { id: null, user, roles: [`role of ${username}`], permissions: ['sample_add'], expires_at: null };
        return found({ as: username }, body);
      },
      'with a cookie': async (world) => {
        const { id, session } = await signedIn(world);
        return found(session.parts, { id: session.id, user: { id } });
      },
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  signOut: {
    success: {
      'with credentials, which no session is behind': async (world) => {
        const { username } = await world.user();
        return { ...found({ as: username }, { ended: false }), recorded: { history: [], events: [] } };
      },
      'with a cookie': async (world) => {
        const { id, username, session } = await signedIn(world);
        return { ...found(session.parts, { ended: true }), by: username, stored: openSessions(id, '0') };
      },
    },
    validation: { 'a body': () => invalid({ body: { ended: true } }, '') },
    'missing reference': refersToNothing,
    conflict: none('One session is ended; who is signed out already is told so by 401.'),
  },
  listSessions: {
    success: {
      'none of others': async (world) => {
        await signedIn(world);
        return found({ as: (await world.user()).username }, { sessions: [] });
      },
      'the own ones, and which of them is this': async (world) => {
        const { username, session } = await signedIn(world);
        const other = await openSession(world, username);
        const sessions = [
          { id: session.id, current: true },
          { id: other.id, current: false },
        ];
        return found(session.parts, { sessions });
      },
    },
    validation: wrongPages(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  endSession: {
    success: {
      'one of the own': async (world) => {
        const { id, username, session } = await signedIn(world);
        return {
          ...found({ as: username, params: { id: session.id } }, { id: session.id, current: false }),
          ownedBy: (owner: string) =>
            world.sql('update sessions set user_id = (select id from users where username = $2) where id = $1', [
              session.id,
              owner,
            ]),
          stored: openSessions(id, '0'),
        };
      },
    },
    validation: { 'a body': () => invalid({ params: { id: 1 }, body: { ended: true } }, '') },
    'missing reference': {
      ...missingParts(nobodys, { id: noSuchId }),
      'a session of somebody else': async (world) => missing({ params: { id: (await signedIn(world)).session.id } }),
    },
    conflict: {
      'a session that has ended is not there any more': async (world) => {
        const { username, session } = await signedIn(world);
        await world.call('signOut', session.parts);
        return missing({ as: username, params: { id: session.id } });
      },
    },
  },
};
