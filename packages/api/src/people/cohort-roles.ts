/** Roles in individual cohorts, beyond the specification, for installations with several studies. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { RoleAssignment, RoleSummary, roleSummaryExample } from './people.ts';
import { needs, ownAccountOr } from '../permission.ts';
import * as v from '../values.ts';

export const HeldRole = v.resource('HeldRole', 'A role of a user, for all cohorts or in one cohort.', {
  role: RoleSummary,
  cohort: { ...v.nullable(v.Ref), description: 'Null if the role applies to all cohorts.' },
});

export const CohortRoleAssignment = v.resource(
  'CohortRoleAssignment',
  'Whether the user has the role in the cohort after the request.',
  { ...RoleAssignment.properties, cohort: v.Ref },
);

const ByUserRoleAndCohort = v.closed({ username: v.Username, role_name: v.Label, cohort_id: v.Id });

const cohortExample = { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' };
const assignmentExample = { user: 'j.jansen', role: 'superuser', cohort: cohortExample, has_role: true };
const unknown = 'No user has this username, no role has this name, or no cohort has this id.';

export const cohortRoleOperations = defineOperations({
  getUserRoles: {
    method: 'GET',
    path: '/users/{id}/roles',
    summary: 'Read the roles of a user',
    description: 'First the roles for all cohorts, then the roles in individual cohorts, each ordered by id.',
    access: ownAccountOr('roles_manage'),
    installationWide: true,
    params: v.ById,
    response: v.closed({ roles: Type.Array(HeldRole) }),
    statuses: {
      200: 'The roles.',
      403: 'This is not your account, and you do not have the permission `roles_manage`.',
      404: 'No user has this id.',
    },
    example: {
      response: {
        roles: [
          { role: { id: 3, name: 'user', uri: '/api/v2/roles/3' }, cohort: null },
          { role: roleSummaryExample, cohort: cohortExample },
        ],
      },
    },
  },
  assignCohortRole: {
    method: 'PUT',
    path: '/users/{username}/roles/{role_name}/cohorts/{cohort_id}',
    summary: 'Assign a role in a cohort',
    description:
      'The permissions of the role then apply to the data of this cohort, but not to operations that affect the whole ' +
      'installation. Roles for all cohorts do not change. To limit a user to individual cohorts, remove the roles for all ' +
      'cohorts. A new account has the role `user` for all cohorts, unless you create it with `all_cohorts: false`. ' +
      'Repeating the request changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    tokens: 'refused',
    params: ByUserRoleAndCohort,
    response: CohortRoleAssignment,
    masked: false,
    statuses: { 200: 'The user has the role in the cohort.', 404: unknown },
    example: { response: assignmentExample },
  },
  removeCohortRole: {
    method: 'DELETE',
    path: '/users/{username}/roles/{role_name}/cohorts/{cohort_id}',
    summary: 'Remove a role in a cohort',
    description: 'Roles for all cohorts do not change. Repeating the request changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    params: ByUserRoleAndCohort,
    response: CohortRoleAssignment,
    masked: false,
    statuses: { 200: 'The user does not have the role in the cohort.', 404: unknown },
    example: { response: { ...assignmentExample, has_role: false } },
  },
});
