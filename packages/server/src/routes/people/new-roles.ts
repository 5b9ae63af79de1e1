/**
 * The roles of a new user: those in the request, or the role `user` for all cohorts. Roles in the request have the rules of
 * `assignUserRole` and `assignCohortRole`.
 */
import type { peopleOperations } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import type { CohortsOfRole, NewRoles } from '../../engine/people/create-user.ts';
import { invalid, Problem, referenceNotFound } from '../../errors.ts';
import { requirePermission, scopeOf } from '../../http/access/authorize.ts';
import type { Account, Call } from '../../http/call.ts';
import { defaultRole, findRoles } from '../../store/people/roles.ts';
import type { Scope } from '../../store/scope.ts';
import { describeCohort, findCohorts } from '../../store/study/cohorts.ts';

type Given = Pick<Call<typeof peopleOperations.createUser>['body'], 'roles' | 'all_cohorts'>;

export function requireRoleRights(account: Account, { roles, all_cohorts: seesAll }: Given): void {
  if (roles === undefined) return;
  if (seesAll !== undefined) throw contradicting();
  if (account.token) throw rolesWithToken();
  requirePermission(account, 'roles_manage');
}

const contradicting = () => {
  const detail = '/roles and /all_cohorts both say which roles the user has. Send only one of them.';
  return invalid({ pointer: '/roles', detail }, { pointer: '/all_cohorts', detail });
};

/** A token could otherwise create an account with more permissions than its own. */
const rolesWithToken = () =>
  new Problem('not_allowed', 'You cannot assign roles with an API token. Sign in, or leave out `roles`.');

export async function findNewRoles(
  tx: Tx,
  account: Account,
  { roles, all_cohorts: seesAll = true }: Given,
): Promise<NewRoles> {
  if (roles === undefined) return { roles: seesAll ? [defaultRole] : [] };
  const labels = await labelsOf(tx, scopeOf(account, 'roles_manage'), roles);
  const known = await findRoles(
    tx,
    roles.map(({ role_name: name }) => name),
  );
  const forAll = new Set<string>();
  const inCohorts = new Map<number, { role: CohortsOfRole['role']; cohorts: Map<number, string> }>();
  for (const [index, { role_name: name, cohort_ids: ids }] of roles.entries()) {
    const role = known.get(name);
    if (!role) throw referenceNotFound(`/roles/${index}/role_name`, `role "${name}"`);
    if (ids === null) forAll.add(role.name);
    const { cohorts } = inCohorts.get(role.id) ?? { cohorts: new Map<number, string>() };
    for (const id of ids ?? []) cohorts.set(id, labels.get(id) ?? '');
    if (cohorts.size > 0) inCohorts.set(role.id, { role: { id: role.id, name: role.name }, cohorts });
  }
  return {
    roles: [...forAll],
    inCohorts: [...inCohorts.values()].map(({ role, cohorts }) => ({
      role,
      cohorts: [...cohorts].map(([id, label]) => ({ id, label })),
    })),
  };
}

/** The labels of all cohorts in the request, each of which must exist. */
async function labelsOf(
  tx: Tx,
  scope: Scope,
  roles: NonNullable<Given['roles']>,
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(roles.flatMap(({ cohort_ids }) => cohort_ids ?? []));
  const found = await findCohorts(tx, scope, [...ids]);
  const labels = new Map(found.map(({ id, label }) => [id, label]));
  for (const [index, { cohort_ids }] of roles.entries()) {
    const place = cohort_ids?.findIndex((id) => !labels.has(id)) ?? -1;
    const id = cohort_ids?.[place];
    if (id !== undefined) throw referenceNotFound(`/roles/${index}/cohort_ids/${place}`, describeCohort({ id }));
  }
  return labels;
}
