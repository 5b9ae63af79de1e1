/** Checks the caller against the operation's access and determines the cohorts in scope. */
import { permissions, type Operation, type Permission } from '@milepost/api';
import { Problem } from '../../errors.ts';
import { allCohorts, isWithin, noCohorts, type Scope } from '../../store/scope.ts';
import type { Account } from '../call.ts';

/** The account with its scope. `pathId` is the {id} in the path, for operations on the caller's own account. */
export const authorize = (operation: Operation, account: Account, pathId: string | undefined): Account => ({
  ...account,
  scope: scopeFor(operation, account, pathId),
});

function scopeFor(operation: Operation, account: Account, pathId: string | undefined): Scope {
  const { access } = operation;
  switch (access.kind) {
    case 'public':
    case 'account':
      return noCohorts;
    case 'read':
      return requireScope(operation, account, undefined);
    case 'own_account':
      return String(account.id) === pathId ? noCohorts : requireScope(operation, account, access.permission);
    case 'permission':
    case 'execution':
      return requireScope(operation, account, access.permission);
    default:
      return access satisfies never;
  }
}

/** The cohorts in which the account has the permission, or, if none is given, in which it has any permission. */
export function scopeOf(account: Account, permission?: Permission): Scope {
  const includesIt = (held: ReadonlySet<Permission>) =>
    permission === undefined ? held.size > 0 : held.has(permission);
  if (includesIt(account.permissions)) return allCohorts;
  const carrying = account.cohortRoles.filter((held) => includesIt(held.permissions));
  return { kind: 'cohorts', ids: [...new Set(carrying.flatMap((held) => held.cohortIds))] };
}

/** The permissions of another account that the account does not have, or not in all of the same cohorts. */
export const permissionsBeyond = (account: Account, other: Account): Permission[] =>
  permissions.filter((permission) => !isWithin(scopeOf(other, permission), scopeOf(account, permission)));

function requireScope({ installationWide }: Operation, account: Account, permission: Permission | undefined): Scope {
  const scope = scopeOf(account, permission);
  if (scope.kind === 'all') return scope;
  if (scope.ids.length === 0) throw missingPermission(account, permission);
  if (installationWide) throw notInAllCohorts(permission);
  return scope;
}

function missingPermission({ token }: Account, permission: Permission | undefined): Problem {
  if (permission === undefined) return new Problem('not_allowed', token ? tokenCannotRead : userCannotRead);
  const holders = token ? 'Your API token and its owner need' : 'You need';
  return new Problem('not_allowed', `${holders} the permission \`${permission}\`.`);
}

const userCannotRead =
  'Your account has no permission to read study data. Ask an administrator to assign a role such as `user`.';

const tokenCannotRead =
  'This API token has no permission that its owner also has. Create a token with at least one permission, such as `user_read`.';

const notInAllCohorts = (permission: Permission | undefined) =>
  new Problem(
    'not_allowed',
    `You need ${permission === undefined ? 'a permission' : `the permission \`${permission}\``} for all cohorts, not only for some.`,
  );

/** For changes that affect the whole installation: roles in individual cohorts do not count. */
export function requirePermission(account: Account, permission: Permission): void {
  if (!account.permissions.has(permission)) throw missingPermission(account, permission);
}
