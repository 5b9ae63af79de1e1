/** What the specification lacks where one installation serves several studies: roles that hold for named cohorts only. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { RoleAssignment, RoleSummary, roleSummaryExample } from './people.ts';
import { needs, ownAccountOr } from './permission.ts';
import * as v from './values.ts';

export const HeldRole = v.resource('HeldRole', 'A role that a user has, and where.', {
  role: RoleSummary,
  cohort: { ...v.nullable(v.Ref), description: 'Null: the role holds for all cohorts.' },
});

export const CohortRoleAssignment = v.resource(
  'CohortRoleAssignment',
  'Whether a user has a role for a cohort, after the request.',
  { ...RoleAssignment.properties, cohort: v.Ref },
);

const ByUserRoleAndCohort = v.closed({ username: v.Username, role_name: v.Label, cohort_id: v.Id });

const cohortExample = { id: 7, label: 'memory-clinic-2026', uri: '/api/v2/cohorts/7' };
const assignmentExample = { user: 'j.jansen', role: 'superuser', cohort: cohortExample, has_role: true };
const unknown = 'No user has this username, no role this name, or no cohort this id.';

export const cohortRoleOperations = defineOperations({
  getUserRoles: {
    method: 'GET',
    path: '/users/{id}/roles',
    summary: 'Read the roles of a user',
    description: 'Those that hold for all cohorts first, then those for named cohorts; each ordered by id.',
    access: ownAccountOr('roles_manage'),
    installationWide: true,
    params: v.ById,
    response: v.closed({ roles: Type.Array(HeldRole) }),
    statuses: {
      200: 'The roles.',
      403: 'This is not your account, and you may not manage roles.',
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
    summary: 'Give a user a role for a cohort',
    description:
      'What the role carries then opens the data of this cohort, and nothing that concerns the whole installation. A role ' +
      'that the user has for all cohorts stays, and still opens all of them: whoever is to see some cohorts only must have none, not even ' +
      '`user`, which a new account has unless it is made with `all_cohorts: false`. Doing it again changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    tokens: 'refused',
    params: ByUserRoleAndCohort,
    response: CohortRoleAssignment,
    masked: false,
    statuses: { 200: 'The user has the role for the cohort.', 404: unknown },
    example: { response: assignmentExample },
  },
  removeCohortRole: {
    method: 'DELETE',
    path: '/users/{username}/roles/{role_name}/cohorts/{cohort_id}',
    summary: 'Take a role for a cohort from a user',
    description: 'A role that the user has for all cohorts stays as it is. Doing it again changes nothing.',
    access: needs('roles_manage'),
    installationWide: true,
    params: ByUserRoleAndCohort,
    response: CohortRoleAssignment,
    masked: false,
    statuses: { 200: 'The user does not have the role for the cohort.', 404: unknown },
    example: { response: { ...assignmentExample, has_role: false } },
  },
});
