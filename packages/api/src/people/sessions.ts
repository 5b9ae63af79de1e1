/** Browser sessions, beyond the specification: sign in, sign out, and list and end your sessions. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { anyAccount, publicAccess } from '../permission.ts';
import { User } from './people.ts';
import * as v from '../values.ts';

/** The prefix `__Host-` limits the cookie to this host and to HTTPS. */
export const sessionCookie = '__Host-milepost';

const { id, uri, username, name, email } = User.properties;

const CohortRole = v.resource('CohortRole', 'A role in a single cohort, with its permissions.', {
  role: v.Label,
  cohort: v.Ref,
  permissions: Type.Array(Type.String()),
});

export const Session = v.resource('Session', 'The signed-in account and its permissions.', {
  id: { ...v.nullable(v.Id), description: 'Null if the request was authenticated without a session.' },
  study_name: Type.String({ description: 'From the setting `MILEPOST_STUDY_NAME`. Empty if it is not set.' }),
  user: v.closed({ id, uri, username, name, email }),
  has_password: Type.Boolean({
    description: 'False for accounts that use only single sign-on or API tokens.',
  }),
  roles: Type.Array(v.Label, { description: 'The roles for all cohorts.' }),
  permissions: Type.Array(Type.String(), { description: 'The permissions for all cohorts.' }),
  cohort_roles: Type.Array(CohortRole),
  expires_at: v.nullable(v.Time),
  token: {
    ...v.nullable(v.closed({ id: v.Id, name: v.Label, expires_at: v.Time })),
    description:
      'The API token of the request, if it used one. The permissions are those that both the token and its owner have.',
  },
});

export const SessionSummary = v.resource('SessionSummary', 'A browser session of a user.', {
  id: v.Id,
  created_at: v.Time,
  last_used_at: { ...v.Time, description: 'To the minute. The session ends after 60 minutes without a request.' },
  expires_at: { ...v.Time, description: '12 hours after the sign-in. The session can end earlier.' },
  address: Type.String({ description: 'The network address of the sign-in.' }),
  user_agent: Type.String({ description: 'The `User-Agent` header of the browser.' }),
  current: Type.Boolean({ description: 'Whether this request uses the session.' }),
});

const sessionExample = {
  id: 31,
  study_name: 'Memory clinic',
  user: {
    id: 5,
    uri: '/api/v2/users/5',
    username: 'j.jansen',
    name: 'Joke Jansen',
    email: 'j.jansen@example.org',
  },
  has_password: true,
  roles: ['user'],
  permissions: ['user_read'],
  cohort_roles: [
    {
      role: 'superuser',
      cohort: { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' },
      permissions: ['sample_state_update', 'sample_add', 'sample_update', 'user_read', 'upload_data'],
    },
  ],
  expires_at: '2026-02-17T20:15:00Z',
  token: null,
};
const summaryExample = {
  id: 31,
  created_at: '2026-02-17T08:15:00Z',
  last_used_at: '2026-02-17T11:04:00Z',
  expires_at: '2026-02-17T20:15:00Z',
  address: '192.0.2.17',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  current: true,
};

export const sessionOperations = defineOperations({
  signIn: {
    method: 'POST',
    path: '/session',
    summary: 'Sign in',
    description:
      `Starts a session and sets its cookie, \`${sessionCookie}\`. The session ends after 60 minutes without a request, ` +
      'after 12 hours, or when the password changes. Requires HTTPS, except on the same machine. Programs should use an ' +
      'API token or HTTP Basic instead.',
    access: publicAccess,
    body: v.closed({
      username: Type.String({ minLength: 1, maxLength: 255, description: 'The username or the e-mail address.' }),
      password: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true }),
    }),
    response: Session,
    idempotencyKey: 'ignored',
    statuses: {
      201: 'You are signed in.',
      401: 'The username or password is wrong, or the account is deactivated.',
      403: 'The connection is not encrypted, or the request came from another site.',
    },
    example: {
      body: { username: 'j.jansen', password: 'a sentence is a fine password' },
      response: sessionExample,
    },
  },
  getSession: {
    method: 'GET',
    path: '/session',
    summary: 'Read the current session',
    description: 'Returns the account of this request with its roles and permissions, however it is authenticated.',
    access: anyAccount,
    response: Session,
    statuses: { 200: 'The session.' },
    example: { response: sessionExample },
  },
  signOut: {
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    description: 'Ends the session of this request and deletes its cookie.',
    access: anyAccount,
    response: v.closed({ ended: Type.Boolean({ description: 'False if the request has no session.' }) }),
    idempotencyKey: 'ignored',
    statuses: { 200: 'You are signed out.' },
    example: { response: { ended: true } },
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'List your sessions',
    description: 'Your open sessions, ordered by id. You cannot see the sessions of other users.',
    access: anyAccount,
    query: v.Page,
    response: v.listOf('sessions', SessionSummary),
    statuses: { 200: 'The sessions.' },
    example: { response: { sessions: [summaryExample] } },
  },
  endSession: {
    method: 'DELETE',
    path: '/sessions/{id}',
    summary: 'End one of your sessions',
    description: 'The browser that uses the session has to sign in again.',
    access: anyAccount,
    tokens: 'refused',
    params: v.ById,
    response: SessionSummary,
    statuses: { 200: 'The ended session.', 404: 'None of your open sessions has this id.' },
    example: { response: { ...summaryExample, current: false } },
  },
});
