/** The queries for a user, with its roles and API tokens. Every change of them emits an event of the user. */
import { operationQuery, type BodyOf, type Touches } from '../../api/operation-query.ts';

export type UserRole = BodyOf<'getUserRoles'>['roles'][number];
export type Token = BodyOf<'listApiTokens'>['tokens'][number];

const touchesUser =
  (id: number): Touches =>
  ({ object_kind, object_id }) =>
    object_kind === 'user' && object_id === id;

export const userQuery = (id: number) => operationQuery('getUser', { params: { id } }, touchesUser(id));

export const userRolesQuery = (id: number) => operationQuery('getUserRoles', { params: { id } }, touchesUser(id));

export const tokensQuery = (id: number) => operationQuery('listApiTokens', { params: { id } }, touchesUser(id));

/** Imports can change roles. */
export const userPermissionsQuery = (id: number) =>
  operationQuery(
    'getUserPermissions',
    { params: { id } },
    (event) => touchesUser(id)(event) || event.object_kind === 'role',
  );

/** Also counts their users. Every sign-in is an event of a user. */
export const rolesQuery = operationQuery(
  'listRoleRows',
  {},
  ({ object_kind }) => object_kind === 'role' || (object_kind === 'user' && 'later'),
);
