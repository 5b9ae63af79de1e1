/** Roles and users (specification, section 4, Roles, users). */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { needs, ownAccountOr } from '../permission.ts';
import * as v from '../values.ts';

export const RoleSummary = v.resource('RoleSummary', 'A role, as shown in lists.', {
  id: v.Id,
  name: v.Label,
  uri: v.Uri,
});

export const Role = v.resource('Role', 'A named set of permissions that you assign to users.', {
  ...RoleSummary.properties,
  description: v.LongText,
  permissions: Type.Array(Type.String()),
  update_datetime: v.Time,
});

const PersonName = Type.String({ maxLength: 255 });
export const Password = Type.String({ minLength: 12, maxLength: 1024, writeOnly: true });
export const CurrentPassword = Type.String({
  maxLength: 1024,
  writeOnly: true,
  description: 'Your own current password. With a session, required to change an e-mail address or a password.',
});
/** For this long after signing in, an account without a password needs no further proof. */
export const recentSignInMinutes = 15;

export const UserSummary = v.resource('UserSummary', 'A user, as shown in lists.', {
  id: v.Id,
  name: PersonName,
  uri: v.Uri,
  username: v.Username,
});

/** An account has at most this many roles and cohorts when it is created. More can be assigned later. */
const maxNewRoles = 20;
export const maxNewCohorts = 100;

const NewRole = v.closed({
  role_name: v.Label,
  cohort_ids: {
    ...v.nullable(Type.Array(v.Id, { minItems: 1, maxItems: maxNewCohorts })),
    description: 'Null if the role applies to all cohorts.',
  },
});

export const User = v.resource('User', 'The account of a person, or a service account.', {
  id: v.Id,
  uri: v.Uri,
  username: v.Username,
  name: PersonName,
  email: v.Email,
  active: Type.Boolean({ description: 'False for a deactivated account, which cannot sign in.' }),
  create_time: v.Time,
});

export const RoleAssignment = v.resource('RoleAssignment', 'Whether the user has the role after the request.', {
  user: v.Username,
  role: v.Label,
  has_role: Type.Boolean(),
});

const ByUserAndRole = v.closed({ username: v.Username, role_name: v.Label });

const UserChange = v.closed({
  username: v.optional(v.Username),
  name: v.clearable(PersonName),
  email: v.optional(v.Email),
  active: v.optional(Type.Boolean()),
  password: v.optional(Password),
  current_password: v.guard(CurrentPassword),
  ...v.readOnly('id', 'uri', 'create_time'),
});

const userExample = {
  id: 5,
  uri: '/api/v2/users/5',
  username: 'j.jansen',
  name: 'Joke Jansen',
  email: 'j.jansen@example.org',
  active: true,
  create_time: '2026-01-12T08:15:00Z',
};
export const userSummaryExample = {
  id: 5,
  name: 'Joke Jansen',
  uri: '/api/v2/users/5',
  username: 'j.jansen',
};
export const roleSummaryExample = { id: 2, name: 'superuser', uri: '/api/v2/roles/2' };
const roleExample = {
  ...roleSummaryExample,
  description: 'Adds and moves experiments',
  permissions: ['sample_state_update', 'sample_add', 'sample_update', 'user_read', 'upload_data'],
  update_datetime: '2026-01-12T08:00:00Z',
};
const assignmentExample = { user: 'j.jansen', role: 'superuser', has_role: true };

const taken = 'Another user has this username or e-mail address';
const lastAdmin = 'no active administrator would remain';

export const peopleOperations = defineOperations({
  listRoles: {
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    description: 'All roles, ordered by id.',
    access: needs('roles_manage'),
    installationWide: true,
    query: v.Page,
    response: v.listOf('roles', RoleSummary),
    statuses: { 200: 'The roles.' },
    example: { response: { roles: [roleSummaryExample] } },
  },
  getRole: {
    method: 'GET',
    path: '/roles/{id}',
    summary: 'Read a role',
    description: 'Includes its permissions. The role `admin` has every permission, including those of later versions.',
    access: needs('roles_manage'),
    installationWide: true,
    version: 'shown',
    params: v.ById,
    response: Role,
    statuses: { 200: 'The role.', 404: 'No role has this id.' },
    example: { response: roleExample },
  },
  createUser: {
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    description:
      'The user gets the role `user`, unless you send `roles` or `all_cohorts` is false. Username and e-mail address must be unique, ignoring ' +
      "case. A username cannot contain `:`, and can contain `@` only if it is the user's own e-mail address. You cannot set " +
      'a password or assign roles with an API token.',
    access: needs('user_add'),
    installationWide: true,
    version: 'shown',
    carries: 'passwords',
    body: v.closed({
      username: v.Username,
      password: v.optional({
        ...Password,
        description: 'Leave it out for a service account, which signs in with API tokens only.',
      }),
      email: v.Email,
      name: v.optional(PersonName),
      active: v.optional(Type.Boolean({ default: true })),
      all_cohorts: v.guard(
        Type.Boolean({
          default: true,
          description:
            'Whether the user gets the role `user`, which can read all cohorts. If false, the user has no role and can read ' +
            'no study data until you assign one, for all cohorts or in individual cohorts.',
        }),
      ),
      roles: v.guard(
        Type.Array(NewRole, {
          maxItems: maxNewRoles,
          description:
            'The roles of the user, instead of `all_cohorts`. This requires the permission `roles_manage`, and a password or a session.',
        }),
      ),
    }),
    response: User,
    statuses: {
      201: 'The user was created.',
      404: 'No role has this name, or no cohort has this id. Nothing was saved.',
      409: `${taken}.`,
    },
    example: {
      body: {
        username: 'j.jansen',
        password: 'a sentence is a fine password',
        email: 'j.jansen@example.org',
        name: 'Joke Jansen',
      },
      response: userExample,
    },
  },
  listUsers: {
    method: 'GET',
    path: '/users',
    summary: 'List users',
    description: 'All users, including deactivated ones, ordered by id.',
    access: needs('user_read_all'),
    installationWide: true,
    query: v.closed({
      ...v.page,
      active: Type.Optional(Type.Boolean({ description: 'Only active users, or only deactivated ones.' })),
    }),
    response: v.listOf('users', UserSummary),
    statuses: { 200: 'The users.' },
    example: { response: { users: [userSummaryExample] } },
  },
  getUser: {
    method: 'GET',
    path: '/users/{id}',
    summary: 'Read a user',
    description: 'Never includes the password.',
    access: ownAccountOr('user_read_all'),
    installationWide: true,
    version: 'shown',
    params: v.ById,
    response: User,
    statuses: {
      200: 'The user.',
      403: 'This is not your account, and you do not have the permission `user_read_all`.',
      404: 'No user has this id.',
    },
    example: { response: userExample },
  },
  updateUser: {
    method: 'PUT',
    path: '/users/{id}',
    summary: 'Change a user',
    description:
      'Absent fields keep their values. You can change your own name, e-mail address and password. With a session, changing ' +
      'an e-mail address or a password, your own or that of another user, requires your `current_password`. If your account ' +
      `has no password, sign in at most ${recentSignInMinutes} minutes before you change the e-mail address or password of ` +
      'another user, and ask an administrator to change your own. You cannot change an e-mail address or a password with an ' +
      'API token. You cannot change a user who has permissions that you do not have.',
    access: ownAccountOr('user_update_all'),
    installationWide: true,
    version: 'checked',
    carries: 'passwords',
    params: v.ById,
    body: UserChange,
    response: User,
    statuses: {
      200: 'The user.',
      403: 'You cannot change this user or these fields, or `current_password` is missing or wrong.',
      404: 'No user has this id.',
      409: `${taken}, or ${lastAdmin}.`,
    },
    example: { body: { name: 'Joke Jansen' }, response: userExample },
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Deactivate a user',
    description:
      'The user can no longer sign in, and their private views are deleted. Their changes stay in the history under their name.',
    access: needs('user_delete'),
    installationWide: true,
    version: 'checked',
    params: v.ById,
    response: User,
    masked: false,
    statuses: {
      200: 'The deactivated user.',
      404: 'No user has this id.',
      409: `The user stays active, because ${lastAdmin}.`,
    },
    example: { response: { ...userExample, active: false } },
  },
  assignUserRole: {
    method: 'PUT',
    path: '/users/{username}/roles/{role_name}',
    summary: 'Assign a role to a user',
    description: 'The role applies to all cohorts. Repeating the request changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    tokens: 'refused',
    params: ByUserAndRole,
    response: RoleAssignment,
    masked: false,
    statuses: { 200: 'The user has the role.', 404: 'No user has this username, or no role has this name.' },
    example: { response: assignmentExample },
  },
  removeUserRole: {
    method: 'DELETE',
    path: '/users/{username}/roles/{role_name}',
    summary: 'Remove a role from a user',
    description: 'Roles in individual cohorts do not change. Repeating the request changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    params: ByUserAndRole,
    response: RoleAssignment,
    masked: false,
    statuses: {
      200: 'The user does not have the role.',
      404: 'No user has this username, or no role has this name.',
      409: `The user keeps the role, because ${lastAdmin}.`,
    },
    example: { response: { ...assignmentExample, has_role: false } },
  },
});
