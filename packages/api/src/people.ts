/** Roles and users (specification, section 4, Roles, users). */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { needs, ownAccountOr } from './permission.ts';
import * as v from './values.ts';

export const RoleSummary = v.resource('RoleSummary', 'A role, as lists show it.', {
  id: v.Id,
  name: v.Label,
  uri: v.Uri,
});

export const Role = v.resource('Role', 'A named set of permissions that users can have.', {
  ...RoleSummary.properties,
  description: v.LongText,
  permissions: Type.Array(Type.String()),
  update_datetime: v.Time,
});

const Email = Type.String({
  minLength: 3,
  maxLength: 255,
  pattern: '^[^\\s@<>(),;:"\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@<>(),;:"\\u0000-\\u001f\\u007f-\\u009f]+$',
  'x-wanted': 'must be an e-mail address such as name@example.org',
});
const PersonName = Type.String({ maxLength: 255 });
export const Password = Type.String({ minLength: 12, maxLength: 1024, writeOnly: true });
export const CurrentPassword = Type.String({
  maxLength: 1024,
  writeOnly: true,
  description: 'Your password until now: by a session, what outlasts it is done with it alone.',
});
/** For how long after signing in somebody without a password does that. */
export const recentMinutes = 15;

export const UserSummary = v.resource('UserSummary', 'A user, as lists show it.', {
  id: v.Id,
  name: PersonName,
  uri: v.Uri,
  username: v.Username,
});

export const User = v.resource('User', 'Somebody, or some program, that can sign in.', {
  id: v.Id,
  uri: v.Uri,
  username: v.Username,
  name: PersonName,
  email: Email,
  active: Type.Boolean({ description: 'Who is not active cannot sign in.' }),
  create_time: v.Time,
});

export const RoleAssignment = v.resource('RoleAssignment', 'Whether a user has a role, after the request.', {
  user: v.Username,
  role: v.Label,
  has_role: Type.Boolean(),
});

const ByUserAndRole = v.closed({ username: v.Username, role_name: v.Label });

const UserChange = v.closed({
  username: Type.Optional(v.Username),
  name: Type.Optional(v.nullable(PersonName)),
  email: Type.Optional(Email),
  active: Type.Optional(Type.Boolean()),
  password: Type.Optional(Password),
  current_password: Type.Optional(CurrentPassword),
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

const taken = 'Another user has this username or e-mail';
const lastAdmin = 'nobody active would be left who can administer';

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
    description: 'With its permissions. The role `admin` has every permission, also those that come later.',
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
      'The user gets the role `user`, unless `all_cohorts` is false. Username and e-mail are unique without regard to case. A username has no `:`, and ' +
      "an `@` only if it is the user's own e-mail. A token gives no password.",
    access: needs('user_add'),
    installationWide: true,
    version: 'shown',
    carries: 'passwords',
    body: v.closed({
      username: v.Username,
      password: Type.Optional({
        ...Password,
        description: 'Without one nobody can sign in with a password: the account of a program, which comes by tokens.',
      }),
      email: Email,
      name: Type.Optional(PersonName),
      active: Type.Optional(Type.Boolean({ default: true })),
      all_cohorts: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'Whether the user gets the role `user`, which opens all cohorts for reading. With false the user has no role, ' +
            'and sees no study data until one is given, for all cohorts or for named ones.',
        }),
      ),
    }),
    response: User,
    statuses: { 201: 'The user was created.', 409: `${taken}.` },
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
    description: 'All users, also those who are not active, ordered by id.',
    access: needs('user_read_all'),
    installationWide: true,
    query: v.closed({
      ...v.page,
      active: Type.Optional(Type.Boolean({ description: 'Only those who are active, or only those who are not.' })),
    }),
    response: v.listOf('users', UserSummary),
    statuses: { 200: 'The users.' },
    example: { response: { users: [userSummaryExample] } },
  },
  getUser: {
    method: 'GET',
    path: '/users/{id}',
    summary: 'Read a user',
    description: 'Passwords are never shown.',
    access: ownAccountOr('user_read_all'),
    installationWide: true,
    version: 'shown',
    params: v.ById,
    response: User,
    statuses: {
      200: 'The user.',
      403: 'This is not your account, and you may not read those of others.',
      404: 'No user has this id.',
    },
    example: { response: userExample },
  },
  updateUser: {
    method: 'PUT',
    path: '/users/{id}',
    summary: 'Change a user',
    description:
      'Absent fields stay as they are. Everybody may change their own name, e-mail and password. By a session, an e-mail or a password, ' +
      `whoever's it is, is changed with the \`current_password\` of the caller; who has none changes those of others within ${recentMinutes} minutes ` +
      'after signing in, and asks an administrator for their own. A token changes neither. ' +
      'Who has permissions that you lack, you cannot change.',
    access: ownAccountOr('user_update_all'),
    installationWide: true,
    version: 'held',
    carries: 'passwords',
    params: v.ById,
    body: UserChange,
    response: User,
    statuses: {
      200: 'The user.',
      403: 'You may not change this user, or not these fields, or the current password is missing or wrong.',
      404: 'No user has this id.',
      409: `${taken}, or ${lastAdmin}.`,
    },
    example: { body: { name: 'Joke Jansen' }, response: userExample },
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/{id}',
    summary: 'Deactivate a user',
    description: 'The user can no longer sign in. What they did stays on record under their name.',
    access: needs('user_delete'),
    installationWide: true,
    version: 'held',
    params: v.ById,
    response: User,
    masked: false,
    statuses: {
      200: 'The user, no longer active.',
      404: 'No user has this id.',
      409: `The user stays active, as ${lastAdmin}.`,
    },
    example: { response: { ...userExample, active: false } },
  },
  assignUserRole: {
    method: 'PUT',
    path: '/users/{username}/roles/{role_name}',
    summary: 'Give a user a role',
    description: 'Doing it again changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    tokens: 'refused',
    params: ByUserAndRole,
    response: RoleAssignment,
    masked: false,
    statuses: { 200: 'The user has the role.', 404: 'No user has this username, or no role this name.' },
    example: { response: assignmentExample },
  },
  removeUserRole: {
    method: 'DELETE',
    path: '/users/{username}/roles/{role_name}',
    summary: 'Take a role from a user',
    description: 'Doing it again changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    params: ByUserAndRole,
    response: RoleAssignment,
    masked: false,
    statuses: {
      200: 'The user does not have the role.',
      404: 'No user has this username, or no role this name.',
      409: `The user keeps the role, as ${lastAdmin}.`,
    },
    example: { response: { ...assignmentExample, has_role: false } },
  },
});
