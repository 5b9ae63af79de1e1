import type { heldPermissionOperations } from '@milepost/api';
import { found, invalidPaging, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.user('user_read')).id });

export const heldPermissionCases: SectionCases<typeof heldPermissionOperations> = {
  listRoleRows: {
    success: {
      'returns a role with its permissions and the number of its users': async (world) => {
        const { username } = await world.user('sample_add');
        const name = `role of ${username}`;
        const [role] = await world.sql<{ id: string }>('select id from roles where name = $1', [name]);
        const id = Number(role?.id);
        const row = { id, name, uri: `/api/v2/roles/${id}`, permissions: ['sample_add'], users: 1 };
        return found({ query: { after: id - 1, limit: 1 } }, { roles: [row] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  getUserPermissions: {
    success: {
      'returns the permissions of another user': async (world) => {
        const { id } = await world.user('user_read');
        return found({ params: { id } }, { permissions: ['user_read'], cohort_permissions: [] });
      },
      "returns the caller's own permissions": async (world) => {
        const { id, username } = await world.user('sample_add');
        const body = { permissions: ['sample_add'], cohort_permissions: [], missing_permissions: [] };
        return found({ params: { id }, as: username }, body);
      },
    },
    validation: unknownParameter(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
};
