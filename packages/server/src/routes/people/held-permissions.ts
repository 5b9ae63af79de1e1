/** The permissions of roles and users. */
import { permissions, type heldPermissionOperations } from '@milepost/api';
import { loadAccount } from '../../http/access/accounts.ts';
import { permissionsBeyond, scopeOf } from '../../http/access/authorize.ts';
import { ok, type Handlers } from '../../http/call.ts';
import { countRoleUsers, listRoles } from '../../store/people/roles.ts';
import { listAnswer } from '../lists.ts';
import { permissionsOf, summariseRole } from './people.ts';

export const heldPermissionHandlers: Handlers<typeof heldPermissionOperations> = {
  async listRoleRows({ database, query, links }) {
    const users = await countRoleUsers(database.db);
    return listAnswer('roles', await listRoles(database, query), (row) => ({
      ...summariseRole(links, row),
      description: row.description,
      permissions: permissionsOf(row),
      users: users.get(row.id) ?? 0,
    }));
  },

  async getUserPermissions({ database, params, account }) {
    const owner = await loadAccount(database.db, params.id);
    const inCohorts = permissions.filter((one) => {
      const scope = scopeOf(owner, one);
      return scope.kind === 'cohorts' && scope.ids.length > 0;
    });
    return ok({
      permissions: [...owner.permissions],
      cohort_permissions: inCohorts,
      missing_permissions: owner.id === account.id ? [] : permissionsBeyond(account, owner),
    });
  },
};
