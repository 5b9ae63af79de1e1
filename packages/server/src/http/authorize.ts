/** Holds the caller against the access column of the table. */
import type { Access, Permission } from '@milepost/api';
import { Problem } from '../errors.ts';
import type { Account } from './call.ts';

/** `pathId` is the {id} of the path, for operations on one's own account. */
export function authorize(access: Access, account: Account, pathId: string | undefined): void {
  switch (access.kind) {
    case 'public':
    case 'account':
      return;
    case 'role':
      return needRole(account);
    case 'permission':
      return needPermission(account, access.permission);
    case 'own_account':
      return String(account.id) === pathId ? undefined : needPermission(account, access.permission);
    case 'execution':
      return access.permission === undefined ? needRole(account) : needPermission(account, access.permission);
  }
}

function needRole(account: Account): void {
  if (account.roles.length === 0) {
    throw new Problem('not_allowed', 'Your account has no role yet. Ask an administrator to give you one.');
  }
}

export function needPermission(account: Account, permission: Permission): void {
  if (!account.permissions.has(permission)) {
    throw new Problem('not_allowed', `This needs the permission ${permission}, which none of your roles carries.`);
  }
}
