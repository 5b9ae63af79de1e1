/** Roles and users. The configuration import created the user `reader`, who may not manage users. */
import { unknownId, notFound, password, type Step } from '../step.ts';

const roles: Step[] = [
  { call: 'GET /roles', status: 200, save: { role: 'roles.0.id' } },
  { call: 'GET /roles/{id}', params: { id: '$role' }, status: 200 },
  notFound('GET /roles/{id}', { params: { id: unknownId } }),
];

const users: Step[] = [
  {
    call: 'POST /users',
    body: { username: 'anna', email: 'anna@example.org', name: 'Anna', password, active: true },
    status: 201,
    save: { anna: 'id' },
    shows: { username: 'anna', active: true },
  },
  { call: 'GET /users', status: 200 },
  { call: 'GET /users/{id}', params: { id: '$anna' }, status: 200, shows: { email: 'anna@example.org' } },
  { call: 'GET /users/{id}', params: { id: '$anna' }, as: 'reader', status: 403 },
  notFound('GET /users/{id}', { params: { id: unknownId } }),
  {
    call: 'PUT /users/{id}',
    params: { id: '$anna' },
    body: { username: 'ann', email: 'ann@example.org', name: 'Ann', password: `${password}, changed`, active: true },
    status: 200,
    shows: { username: 'ann', email: 'ann@example.org', name: 'Ann' },
  },
  { call: 'PUT /users/{id}', params: { id: '$anna' }, body: { name: 'Mine' }, as: 'reader', status: 403 },
  notFound('PUT /users/{id}', { params: { id: unknownId }, body: { name: 'Anna' } }),
];

const assignments: Step[] = ['PUT', 'DELETE'].flatMap((method) => {
  const call = `${method} /users/{username}/roles/{role_name}`;
  return [
    { call, params: { username: 'ann', role_name: 'superuser' }, status: 200 },
    notFound(call, { params: { username: 'unknown', role_name: 'superuser' } }),
    notFound(call, { params: { username: 'ann', role_name: 'unknown' } }),
  ];
});

const removal: Step[] = [
  { call: 'DELETE /users/{id}', params: { id: '$anna' }, status: 200 },
  notFound('DELETE /users/{id}', { params: { id: unknownId } }),
];

export const rolesAndUsers: Step[] = [...roles, ...users, ...assignments, ...removal];
