/** What the specification lacks for people in front of a browser: signing in once, seeing where one is signed in, signing out. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { anyAccount, everybody } from './permission.ts';
import { User } from './people.ts';
import * as v from './values.ts';

/** A browser keeps it to this host, sends it over https alone, and shows it to no script. */
export const sessionCookie = '__Host-milepost';

const { id, uri, username, name, email } = User.properties;

const CohortRole = v.resource('CohortRole', 'A role that holds for one cohort, and what it carries.', {
  role: v.Label,
  cohort: v.Ref,
  permissions: Type.Array(Type.String()),
});

export const Session = v.resource('Session', 'Who is signed in, and what they may do.', {
  id: { ...v.nullable(v.Id), description: 'Null where each request carries the credentials itself.' },
  user: v.closed({ id, uri, username, name, email }),
  has_password: Type.Boolean({
    description: 'False for accounts that come in through single sign-on or by tokens alone.',
  }),
  roles: Type.Array(v.Label, { description: 'Those that hold for all cohorts.' }),
  permissions: Type.Array(Type.String(), { description: 'Held for all cohorts.' }),
  cohort_roles: Type.Array(CohortRole),
  expires_at: v.nullable(v.Time),
  token: {
    ...v.nullable(v.closed({ id: v.Id, name: v.Label, expires_at: v.Time })),
    description: 'Set where the request came by a token. The permissions are then those that it and its owner have.',
  },
});

export const SessionSummary = v.resource('SessionSummary', 'A browser in which somebody is signed in.', {
  id: v.Id,
  created_at: v.Time,
  last_used_at: { ...v.Time, description: 'To the minute. After 60 minutes without a request the session is over.' },
  expires_at: { ...v.Time, description: 'At the latest. A session lasts 12 hours.' },
  address: Type.String({ description: 'Where the sign-in came from.' }),
  user_agent: Type.String({ description: 'What the browser calls itself.' }),
  current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
});

const sessionExample = {
  id: 31,
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
      `Begins a session and sets its cookie, \`${sessionCookie}\`. The session ends after 60 minutes without a request, after ` +
      '12 hours, or when the password changes. Only over https, or on this machine. Programs use a token or HTTP Basic instead.',
    access: everybody,
    body: v.closed({
      username: Type.String({ minLength: 1, maxLength: 255, description: 'The username or the e-mail.' }),
      password: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true }),
    }),
    response: Session,
    repeats: 'anew',
    statuses: {
      201: 'You are signed in.',
      401: 'No active account has this name and password.',
      403: 'The connection is not encrypted, or the request came from a page of another site.',
    },
    example: {
      body: { username: 'j.jansen', password: 'a sentence is a fine password' },
      response: sessionExample,
    },
  },
  getSession: {
    method: 'GET',
    path: '/session',
    summary: 'Read who is signed in',
    description: 'The account behind this request with its roles and permissions, whichever way it signed in.',
    access: anyAccount,
    response: Session,
    statuses: { 200: 'The session.' },
    example: { response: sessionExample },
  },
  signOut: {
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    description: 'Ends the session that the cookie of this request belongs to, and takes the cookie back.',
    access: anyAccount,
    response: v.closed({ ended: Type.Boolean({ description: 'False where the request came without a session.' }) }),
    repeats: 'anew',
    statuses: { 200: 'You are signed out.' },
    example: { response: { ended: true } },
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    summary: 'List your sessions',
    description: 'Where you are signed in at this moment, ordered by id. Nobody sees the sessions of others.',
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
    description: 'Whoever uses it has to sign in again at their next request.',
    access: anyAccount,
    tokens: 'refused',
    params: v.ById,
    response: SessionSummary,
    statuses: { 200: 'The session, which is over.', 404: 'None of your open sessions has this id.' },
    example: { response: { ...summaryExample, current: false } },
  },
});
