/**
 * Nothing may leave the installation without an active administrator, by whatever way: deactivation, a role taken
 * away, an import (docs/decisions/0006). Changes that could do so run inside this.
 */
import { Problem } from '../../errors.ts';
import type { Tx } from '../../database/connection.ts';
import { hasActiveAdmin, lockAdminRole } from '../../store/roles.ts';

/** The lock comes first: two administrators who remove each other at the same moment take turns. */
export async function keepAnAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await lockAdminRole(tx);
  const result = await change();
  if (!(await hasActiveAdmin(tx))) {
    throw new Problem(
      'last_admin',
      'No active user would be left with the role admin. Give it to somebody else first.',
    );
  }
  return result;
}
