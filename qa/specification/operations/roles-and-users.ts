/** Section 4, "Roles, users". */
import { missing, unknownId, type Operation } from '../operation.ts';
import { read, userFields } from '../factories.ts';
import type { Study } from '../study.ts';
import { passwords, unique } from '../values.ts';

const usernames = [() => unique('anna'), () => unique('Anna Größe 日本'), () => unique('a/b')];
const emails = [() => `${unique('anna')}@example.org`, () => `${unique("a.b+c_d'e")}@mail.example.org`];

/** The specification does not show this body. */
const assignment = { user: 'string', role: 'string', has_role: 'boolean' };

const newAssignment = async ({ newUser, role }: Study) => {
  const user = await newUser();
  return { path: { username: String(user['username']), role_name: role } };
};

const values = {
  active: [true, false],
  email: emails,
  name: ['', 'Anna', 'Größe 日本 🧠'],
  password: passwords,
  username: usernames,
};

const missingUser = missing('user', { path: { id: unknownId } });

export const rolesAndUsers: Operation[] = [
  {
    operation: 'GET /roles',
    response: { roles: ['RoleSummary'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /roles/{id}',
    response: 'Role',
    statuses: [200, 404],
    valid: async ({ send, role }) => {
      const { roles = [] } = await read(send, 'GET /roles');
      return { path: { id: roles.find(({ name }) => name === role)?.id ?? 0 } };
    },
    calls: [missing('role', { path: { id: unknownId } })],
  },
  {
    operation: 'POST /users',
    request: { active: 'boolean', email: 'string', name: 'string', password: 'string', username: 'string' },
    response: 'User',
    statuses: [200, 201],
    valid: () => ({ status: 201, body: userFields() }),
    required: ['email', 'username'],
    values,
    calls: [{ status: 409, when: 'username exists', again: true }],
    unreachable: { 200: '0004' },
  },
  {
    operation: 'GET /users',
    response: { users: ['UserSummary'] },
    statuses: [200],
    valid: () => ({}),
  },
  {
    operation: 'GET /users/{id}',
    response: 'User',
    statuses: [200, 403, 404],
    valid: async ({ newUser }) => ({ path: { id: (await newUser()).id } }),
    calls: async ({ user }) => [{ status: 403, when: 'caller not authorized', as: user }, missingUser],
  },
  {
    operation: 'PUT /users/{id}',
    request: { active: 'boolean', email: 'string', name: 'string', password: 'string', username: 'string' },
    response: 'User',
    statuses: [200, 403, 404],
    valid: ({ spare }) => ({ path: { id: spare.user }, body: {} }),
    values,
    calls: async ({ user }) => [
      { status: 403, when: 'caller not authorized', as: user, body: { name: 'Mine' } },
      missingUser,
      { status: 409, when: 'username exists', body: { username: user } },
    ],
  },
  {
    operation: 'DELETE /users/{id}',
    response: 'User',
    statuses: [200, 404],
    fieldsMask: false,
    valid: async ({ newUser }) => ({ path: { id: (await newUser()).id } }),
    calls: [missingUser],
  },
  {
    operation: 'PUT /users/{username}/roles/{role_name}',
    response: assignment,
    statuses: [200, 404],
    fieldsMask: false,
    valid: newAssignment,
    calls: [
      { status: 200, when: 'already assigned', again: true, shows: { has_role: true } },
      missing('user', { path: { username: 'Nobody' } }),
      missing('role', { path: { role_name: 'Nothing' } }),
    ],
  },
  {
    operation: 'DELETE /users/{username}/roles/{role_name}',
    response: assignment,
    statuses: [200, 404],
    fieldsMask: false,
    valid: newAssignment,
    calls: [
      { status: 200, when: 'already removed', again: true, shows: { has_role: false } },
      missing('user', { path: { username: 'Nobody' } }),
      missing('role', { path: { role_name: 'Nothing' } }),
    ],
  },
];
