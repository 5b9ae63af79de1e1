/** Holds the caller against the access column of the table, and finds for which cohorts it is open to them. */
import type { Operation, Permission } from '@milepost/api';
import { Problem } from '../errors.ts';
import { allCohorts, noCohorts, type Scope } from '../store/scope.ts';
import type { Account } from './call.ts';

/** The account with its scope. `pathId` is the {id} of the path, for operations on one's own account. */
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
    case 'role':
      return needScope(operation, account, undefined);
    case 'own_account':
      return String(account.id) === pathId ? noCohorts : needScope(operation, account, access.permission);
    case 'permission':
    case 'execution':
      return needScope(operation, account, access.permission);
    default:
      return access satisfies never;
  }
}

/** The cohorts for which some role of the account carries the permission; without one, for which it has any role. */
export function scopeOf(account: Account, permission?: Permission): Scope {
  const everywhere = permission === undefined ? account.roles.length > 0 : account.permissions.has(permission);
  if (everywhere) return allCohorts;
  const carrying = account.cohortRoles.filter((held) => permission === undefined || held.permissions.has(permission));
  return { kind: 'cohorts', ids: [...new Set(carrying.flatMap((held) => held.cohortIds))] };
}

function needScope({ installationWide }: Operation, account: Account, permission: Permission | undefined): Scope {
  const scope = scopeOf(account, permission);
  if (scope.kind === 'all') return scope;
  if (scope.ids.length === 0) throw lacking(account, permission);
  if (installationWide) throw onlyForSome(permission);
  return scope;
}

function lacking({ token }: Account, permission: Permission | undefined): Problem {
  if (permission === undefined) {
    return new Problem('not_allowed', 'Your account has no role yet. Ask an administrator to give you one.');
  }
  const lack = token ? 'which your token, or its owner, lacks' : 'which none of your roles carries';
  return new Problem('not_allowed', `This needs the permission ${permission}, ${lack}.`);
}

const onlyForSome = (permission: Permission | undefined) =>
  new Problem(
    'not_allowed',
    `This concerns more than the cohorts that you have ${permission === undefined ? 'a role' : `the permission ${permission}`} for.`,
  );

/** For what concerns the whole installation: a role for some cohorts does not count. */
export function needPermission(account: Account, permission: Permission): void {
  if (!account.permissions.has(permission)) throw lacking(account, permission);
}
