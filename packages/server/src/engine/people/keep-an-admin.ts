/**
 * Keeps at least one active administrator (docs/decisions/0006). Every change that could remove the last one runs inside this:
 * deactivating a user, removing a role, importing a configuration.
 */
import { Problem } from '../../errors.ts';
import type { Tx } from '../../database/connection.ts';
import { hasActiveAdmin, lockAdminRole } from '../../store/roles.ts';

/** The lock comes first, so that two administrators cannot remove each other at the same time. */
export async function keepAnAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await lockAdminRole(tx);
  const result = await change();
  if (!(await hasActiveAdmin(tx))) {
    throw new Problem('last_admin', 'No active user would have the role `admin`. Assign it to another user first.');
  }
  return result;
}
