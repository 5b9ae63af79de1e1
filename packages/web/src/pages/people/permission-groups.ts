/** Permissions in groups, in the order in which pages list them. */
import { permissions as knownPermissions, type Permission, type UsedPermission } from '@milepost/api';
import { allPermissions } from './permission-text.ts';

export interface PermissionGroup {
  title: string;
  permissions: readonly string[];
}

export const permissionGroups = [
  { title: 'Study data', permissions: ['user_read', 'sample_add', 'sample_update', 'sample_delete'] },
  { title: 'Moves and corrections', permissions: ['sample_state_update', 'state_override', 'action_update'] },
  { title: 'Workflows and configuration', permissions: ['workflow_manage', 'config_manage'] },
  {
    title: 'People and access',
    permissions: ['user_read_all', 'user_add', 'user_update_all', 'user_delete', 'roles_manage', 'token_manage'],
  },
  { title: 'Operation', permissions: ['service_run', 'worker_run', 'audit_read'] },
] as const satisfies { title: string; permissions: readonly UsedPermission[] }[];

const isIn = (all: readonly string[], one: string) => all.includes(one);

/** The groups of these permissions. The last one has those of a newer server, or of an imported role. */
export function groupsOf(permissions: readonly string[]): PermissionGroup[] {
  const known = permissionGroups.map(({ title, permissions: all }) => ({
    title,
    permissions: all.filter((one) => isIn(permissions, one)),
  }));
  const others = [...new Set(permissions)].filter((one) => !isIn(allPermissions, one));
  return [...known, { title: 'Other', permissions: others }].filter((group) => group.permissions.length > 0);
}

/** Whether a role allows what a permission does. Every known permission includes reading study data. */
export const allows = (held: readonly string[], permission: string): boolean =>
  held.includes(permission) || (permission === 'user_read' && held.some((one) => isIn(knownPermissions, one)));

export interface OwnerPermissions {
  permissions: readonly string[];
  cohort_permissions: readonly string[];
}

/** The permissions that a token of the owner can have, in the order of the groups. */
export function tokenPermissions({ permissions, cohort_permissions: inCohorts }: OwnerPermissions): Permission[] {
  const held = knownPermissions.filter((one) => isIn([...permissions, ...inCohorts], one));
  const shown = permissionGroups.flatMap((group) => group.permissions.filter((one) => isIn(held, one)));
  // Unused permissions allow reading. They are offered only if there is nothing else.
  return shown.length > 0 ? shown : held;
}
