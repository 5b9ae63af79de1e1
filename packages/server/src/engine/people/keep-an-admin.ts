/**
 * Keeps at least one active administrator who can sign in (docs/decisions/0006). Every change that could remove the last one runs inside this:
 * deactivating a user, removing a role, importing a configuration.
 */
import type { Fault } from '@milepost/api';
import { Problem } from '../../errors.ts';
import type { Tx } from '../../database/connection.ts';
import { hasActiveAdmin, lockAdminRole } from '../../store/people/roles.ts';

/**
 * The lock comes first, so that two administrators cannot remove each other at the same time. `causes` are the reasons that the
 * change finds why a new administrator could not sign in.
 */
export async function keepAnAdmin<T>(tx: Tx, change: () => Promise<T>, causes: readonly Fault[] = []): Promise<T> {
  await lockAdminRole(tx);
  const result = await change();
  if (!(await hasActiveAdmin(tx))) {
    throw new Problem(
      'last_admin',
      'No active user with the role `admin` could sign in. First assign the role to another user who has a password or uses ' +
        'single sign-on.',
      { faults: [...causes] },
    );
  }
  return result;
}
