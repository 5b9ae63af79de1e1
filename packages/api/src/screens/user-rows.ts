/** The users with their roles and their last sign-in, for the page of users. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { RoleSummary, User, roleSummaryExample } from '../people/people.ts';
import { needs } from '../permission.ts';
import * as v from '../values.ts';

/** The page links to the user for the others. */
export const shownCohorts = 3;

export const userKinds = ['person', 'service_account'] as const;

const RowRole = v.closed({
  role: RoleSummary,
  cohorts: v.nullable(
    v.closed(
      {
        total: Type.Integer({ minimum: 1, description: 'The number of cohorts.' }),
        first: Type.Array(v.Ref, { description: `The first ${shownCohorts}, ordered by id.` }),
      },
      { description: 'Null if the role applies to all cohorts.' },
    ),
  ),
});

const { id, uri, username, name, email, active } = User.properties;

export const UserRow = v.resource('UserRow', 'A user with roles and the last sign-in.', {
  id,
  uri,
  username,
  name,
  email,
  active,
  kind: v.oneOf(userKinds, {
    description: '`service_account`: without a password and without single sign-on, so with API tokens only.',
  }),
  roles: v.nullable(
    Type.Array(RowRole, {
      description:
        'First the roles for all cohorts, then the roles in individual cohorts, each ordered by id. Null if you do not have the ' +
        'permission `roles_manage`.',
    }),
  ),
  last_sign_in_at: {
    ...v.nullable(v.Time),
    description: 'When the user last signed in with a browser. HTTP Basic and API tokens do not count.',
  },
  token_last_used_at: {
    ...v.nullable(v.Time),
    description: 'When an API token of a service account was last used, to a minute. Null for a person.',
  },
});

export const userRowOperations = defineOperations({
  listUserRows: {
    method: 'GET',
    path: '/user_rows',
    summary: 'List users with their roles',
    description:
      'The users, also deactivated ones, ordered by id, each with roles, cohorts and the last sign-in. Reading the roles also ' +
      'requires `roles_manage`.',
    access: needs('user_read_all'),
    installationWide: true,
    query: v.closed({
      ...v.screenPage(100),
      find: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description:
            'Only users whose name, username or e-mail address contains each of these words, ignoring accents and the case of A to Z.',
        }),
      ),
      active: Type.Optional(Type.Boolean({ description: 'Only active users, or only deactivated ones.' })),
    }),
    response: v.listOf('users', UserRow),
    statuses: { 200: 'The users.' },
    example: {
      response: {
        users: [
          {
            id: 5,
            uri: '/api/v2/users/5',
            username: 'j.jansen',
            name: 'Joke Jansen',
            email: 'j.jansen@example.org',
            active: true,
            kind: 'person',
            roles: [
              {
                role: roleSummaryExample,
                cohorts: { total: 1, first: [{ id: 7, label: 'memory-clinic', uri: '/api/v2/cohorts/7' }] },
              },
            ],
            last_sign_in_at: '2026-11-15T08:30:00.000Z',
            token_last_used_at: null,
          },
        ],
      },
    },
  },
});
