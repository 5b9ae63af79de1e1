/** Roles for cohorts: ours. */
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

const missingOnes = { username: 'nobody', role_name: 'nobody', cohort_id: noSuchId };

const stored = (username: string, rows: object[]) => ({
  query: `select cohort_id::int, roles.name as role from cohort_roles join users on users.id = user_id
    join roles on roles.id = role_id where username = $1`,
  values: [username],
  rows,
});

export const cohortRoleCases: SectionCases<typeof cohortRoleOperations> = {
  getUserRoles: {
    success: {
      'of somebody with a role for a cohort': async (world) => {
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
      'a role that the user lacks': async (world) => {
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
    'missing reference': missingParts(byCohort, missingOnes),
    conflict: none('A role that the user has already is given again without effect.'),
  },
  removeCohortRole: {
    success: {
      'a role that the user has': async (world) => {
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
    'missing reference': missingParts(byCohort, missingOnes),
    conflict: none('A role for a cohort never makes the last admin.'),
  },
};
