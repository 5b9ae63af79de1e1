/** Roles in individual cohorts (docs/decisions/0031). */
import type { cohortRoleOperations } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { ok, type Handlers } from '../../http/call.ts';
import { deleteCohortRole, insertCohortRole, readAssignedRoles } from '../../store/people/cohort-roles.ts';
import { getCohort } from '../../store/study/cohorts.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { getRoleByName } from '../../store/people/roles.ts';
import { getUser, getUserByName } from '../../store/people/users.ts';
import { summariseRole } from './people.ts';

export const cohortRoleHandlers: Handlers<typeof cohortRoleOperations> = {
  async getUserRoles({ database: { db }, params, links }) {
    const { id } = await getUser(db, params.id);
    const held = await readAssignedRoles(db, id);
    const roles = held.map(({ role_id, role_name, cohort }) => ({
      role: summariseRole(links, { id: role_id, name: role_name }),
      cohort: cohort && links.ref('cohorts', cohort),
    }));
    return ok({ roles });
  },

  async assignCohortRole(call) {
    return ok(await inTransaction(call.database.db, (tx) => setCohortRole(tx, call, true)));
  },

  async removeCohortRole(call) {
    return ok(await inTransaction(call.database.db, (tx) => setCohortRole(tx, call, false)));
  },
};

type SetCall = Parameters<(typeof cohortRoleHandlers)['assignCohortRole']>[0];

async function setCohortRole(tx: Tx, { account, author, links, params }: SetCall, has: boolean) {
  const user = await getUserByName(tx, params.username);
  const role = await getRoleByName(tx, params.role_name);
  const cohort = await getCohort(tx, account.scope, { id: params.cohort_id });
  const key = { user_id: user.id, role_id: role.id, cohort_id: cohort.id };
  const changed = has ? await insertCohortRole(tx, key) : await deleteCohortRole(tx, key);
  if (changed) {
    const change = { role: role.name, cohort_id: cohort.id, cohort: cohort.label };
    const before = { ...change, has_role: !has };
    const after = { ...change, has_role: has };
    await recordChange(tx, author, { objectKind: 'user', objectId: user.id, before, after });
  }
  return { user: user.username, role: role.name, has_role: has, cohort: links.ref('cohorts', cohort) };
}
