import { operationQuery, type BodyOf } from '../../api/operation-query.ts';

export type HeldRole = BodyOf<'getUserRoles'>['roles'][number];

/** Assigning or removing a role emits an event of the user. */
export const heldRolesQuery = (userId: number) =>
  operationQuery(
    'getUserRoles',
    { params: { id: userId } },
    ({ object_kind, object_id }) => object_kind === 'user' && object_id === userId,
  );
