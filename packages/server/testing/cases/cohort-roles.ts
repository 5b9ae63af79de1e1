import type { cohortRoleOperations } from '@milepost/api';
import { found, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.user()).id });

const byCohort = async (world: World) => ({
  username: (await world.user()).username,
  role_name: 'user',
  cohort_id: (await world.cohort()).id,
});

const unknownParams = { username: 'unknown', role_name: 'unknown', cohort_id: noSuchId };

const stored = (username: string, rows: object[]) => ({
  query: `select cohort_id::int, roles.name as role from cohort_roles join users on users.id = user_id
    join roles on roles.id = role_id where username = $1`,
  values: [username],
  rows,
});

export const cohortRoleCases: SectionCases<typeof cohortRoleOperations> = {
  getUserRoles: {
    success: {
      'returns the roles of a user, including those for a cohort': async (world) => {
        const { id, username } = await world.user();
        const cohort = await world.cohort();
        await world.call('assignCohortRole', { params: { username, role_name: 'user', cohort_id: cohort.id } });
        return found(
          { params: { id } },
          {
            roles: [
              { role: { name: `role of ${username}` }, cohort: null },
              { role: { name: 'user' }, cohort: { id: cohort.id, label: cohort.label } },
            ],
          },
        );
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  assignCohortRole: {
    success: {
      'assigns a role for a cohort': async (world) => {
        const params = await byCohort(world);
        return {
          ...found(
            { params },
            { user: params.username, role: 'user', cohort: { id: params.cohort_id }, has_role: true },
          ),
          stored: stored(params.username, [{ cohort_id: params.cohort_id, role: 'user' }]),
        };
      },
    },
    validation: unknownParameter(byCohort),
    'missing reference': missingParts(byCohort, unknownParams),
    conflict: none('Assigning a role that the user already has changes nothing.'),
  },
  removeCohortRole: {
    success: {
      'removes a role for a cohort': async (world) => {
        const params = await byCohort(world);
        await world.call('assignCohortRole', { params });
        return {
          ...found(
            { params },
            { user: params.username, role: 'user', cohort: { id: params.cohort_id }, has_role: false },
          ),
          stored: stored(params.username, []),
        };
      },
    },
    validation: unknownParameter(byCohort),
    'missing reference': missingParts(byCohort, unknownParams),
    conflict: none('A role for a cohort does not count as the last administrator.'),
  },
};
