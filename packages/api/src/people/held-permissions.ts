/** The permissions of roles and users, beyond the specification, for pages that compare roles and create API tokens. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { Role, roleSummaryExample } from './people.ts';
import { needs, ownAccountOr } from '../permission.ts';
import * as v from '../values.ts';

const { id, name, uri, description, permissions } = Role.properties;

export const RoleRow = v.resource('RoleRow', 'A role with its permissions and the number of its users.', {
  id,
  name,
  uri,
  description,
  permissions,
  users: {
    ...Type.Integer({ minimum: 0 }),
    description: 'The number of active users who have the role, for all cohorts or in some of them.',
  },
});

export const UserPermissions = v.resource('UserPermissions', 'What a user can do at the moment.', {
  permissions: Type.Array(Type.String(), { description: 'The permissions for all cohorts.' }),
  cohort_permissions: Type.Array(Type.String(), {
    description: 'The permissions that the user has in some cohorts, but not for all cohorts.',
  }),
  missing_permissions: Type.Array(Type.String(), {
    description:
      'The permissions of the user that you do not have, or not in all of the same cohorts. While there are any, you cannot ' +
      'change the account or create tokens for it. Empty for your own account.',
  }),
});

export const heldPermissionOperations = defineOperations({
  listRoleRows: {
    method: 'GET',
    path: '/role_rows',
    summary: 'List roles with their permissions',
    description: 'All roles, ordered by id, each with its permissions and the number of its users.',
    access: needs('roles_manage'),
    installationWide: true,
    query: v.Page,
    response: v.listOf('roles', RoleRow),
    statuses: { 200: 'The roles.' },
    example: {
      response: {
        roles: [
          {
            ...roleSummaryExample,
            description: 'Adds and moves experiments',
            permissions: ['sample_state_update', 'sample_add', 'sample_update', 'user_read', 'upload_data'],
            users: 4,
          },
        ],
      },
    },
  },
  getUserPermissions: {
    method: 'GET',
    path: '/users/{id}/permissions',
    summary: 'Read the permissions of a user',
    description:
      'The permissions that the user gets from roles, which are those that a new API token of the user can have. A role ' +
      'can also contain permissions that this version does not know. They are left out.',
    access: ownAccountOr('token_manage'),
    installationWide: true,
    params: v.ById,
    response: UserPermissions,
    statuses: {
      200: 'The permissions.',
      403: 'This is not your account, and you do not have the permission `token_manage`.',
      404: 'No user has this id.',
    },
    example: {
      response: {
        permissions: ['user_read'],
        cohort_permissions: ['sample_state_update', 'sample_add', 'sample_update', 'upload_data'],
        missing_permissions: [],
      },
    },
  },
});
