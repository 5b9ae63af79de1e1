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

export const rolesQuery = operationQuery('listRoles', {}, ({ object_kind }) => object_kind === 'role');
