import type { sessionOperations } from '@milepost/api';
import { testPassword } from '../server.ts';
import { openSession } from '../sessions.ts';
import { found, invalid, missing, missingParts, noSuchId, unknownParameter, invalidPaging } from './expectations.ts';
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
const unknownSession = async () => ({ id: noSuchId });

export const sessionCases: SectionCases<typeof sessionOperations> = {
  signIn: {
    success: {
      'creates a session for a username and its password': async (world) => {
        const { id, username } = await world.user('sample_add');
        return {
          // The credentials in the body are used, not those in the header.
          request: { as: username, body: { username, password: testPassword } },
          status: 201,
          body: { user: { id, username }, permissions: ['sample_add'] },
          stored: openSessions(id, '1'),
        };
      },
    },
    validation: {
      'rejects a missing password': () => invalid({ as: null, body: { username: 'x' } }, '/password'),
      'rejects an unknown field': () =>
        invalid({ as: null, body: { username: 'x', password: 'y', remember: true } }, '/remember'),
    },
    'missing reference': {
      'returns 401 for an unknown user': () => ({
        request: { as: null, body: { username: 'unknown', password: testPassword } },
        status: 401,
        code: 'wrong_credentials',
      }),
    },
    conflict: none('A user can sign in any number of times.'),
  },
  getSession: {
    success: {
      'returns the user without a session id if credentials are sent': async (world) => {
        const { id, username } = await world.user('sample_add');
        const user = { id, username, uri: `/api/v2/users/${id}`, name: '', email: `${username}@example.org` };
        const body = { id: null, user, roles: [`role of ${username}`], permissions: ['sample_add'], expires_at: null };
        return found({ as: username }, body);
      },
      'returns the session if a cookie is sent': async (world) => {
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
      'ends no session if credentials are sent': async (world) => {
        const { username } = await world.user();
        return { ...found({ as: username }, { ended: false }), recorded: { history: [], events: [] } };
      },
      'ends the session if a cookie is sent': async (world) => {
        const { id, username, session } = await signedIn(world);
        return { ...found(session.parts, { ended: true }), recordedAs: username, stored: openSessions(id, '0') };
      },
    },
    validation: { 'rejects a body': () => invalid({ body: { ended: true } }, '') },
    'missing reference': refersToNothing,
    conflict: none('A second sign-out of the same session returns 401.'),
  },
  listSessions: {
    success: {
      'does not return sessions of other users': async (world) => {
        await signedIn(world);
        return found({ as: (await world.user()).username }, { sessions: [] });
      },
      "returns the caller's sessions and marks the current one": async (world) => {
        const { username, session } = await signedIn(world);
        const other = await openSession(world, username);
        const sessions = [
          { id: session.id, current: true },
          { id: other.id, current: false },
        ];
        return found(session.parts, { sessions });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  endSession: {
    success: {
      'ends a session of the caller': async (world) => {
        const { id, username, session } = await signedIn(world);
        return {
          ...found({ as: username, params: { id: session.id } }, { id: session.id, current: false }),
          makeOwnedBy: (owner: string) =>
            world.sql('update sessions set user_id = (select id from users where username = $2) where id = $1', [
              session.id,
              owner,
            ]),
          stored: openSessions(id, '0'),
        };
      },
    },
    validation: { 'rejects a body': () => invalid({ params: { id: 1 }, body: { ended: true } }, '') },
    'missing reference': {
      ...missingParts(unknownSession, { id: noSuchId }),
      'returns 404 for a session of another user': async (world) =>
        missing({ params: { id: (await signedIn(world)).session.id } }),
    },
    conflict: {
      'returns 404 for a session that has ended': async (world) => {
        const { username, session } = await signedIn(world);
        await world.call('signOut', session.parts);
        return missing({ as: username, params: { id: session.id } });
      },
    },
  },
};
