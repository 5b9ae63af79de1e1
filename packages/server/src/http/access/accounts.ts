/** The account behind credentials, with its roles and permissions. */
import { permissions, type Permission } from '@milepost/api';
import type { Db } from '../../database/connection.ts';
import type { Passwords } from '../../passwords.ts';
import { adminRole } from '../../store/people/roles.ts';
import * as sessions from '../../store/people/sessions.ts';
import * as users from '../../store/people/users.ts';
import { noCohorts } from '../../store/scope.ts';
import type { Account } from '../call.ts';

/** Whether a request counts as use of the session or token, or only checks it. */
export interface Usage {
  isUse: boolean;
}

export async function accountOfLogin(db: Db, login: string): Promise<Account | undefined> {
  const row = await users.findAccount(db, login);
  return row && toAccount(row);
}

/** Called at sign-in if the stored hash uses outdated parameters. */
export async function rehashPassword(db: Db, passwords: Passwords, account: Account, password: string): Promise<void> {
  if (account.passwordHash === null) return;
  await users.upgradeHash(db, account.id, account.passwordHash, await passwords.hash(password));
}

export const loadAccount = async (db: Db, id: number): Promise<Account> => toAccount(await users.getAccount(db, id));

export const toAccount = (row: users.AccountRow): Account => ({
  id: row.id,
  username: row.username,
  passwordHash: row.password_hash,
  active: row.active,
  roles: row.roles.map(({ role }) => role),
  permissions: permissionsOf(row.roles),
  cohortRoles: row.cohort_roles.map((held) => ({
    role: held.role,
    permissions: permissionsOf([held]),
    cohortIds: held.cohort_ids,
  })),
  scope: noCohorts,
});

function permissionsOf(held: readonly users.HeldRole[]): ReadonlySet<Permission> {
  if (held.some(({ role }) => role === adminRole)) return allPermissions;
  return new Set(permissions.filter((one) => held.some((role) => role.permissions.includes(one))));
}

const allPermissions: ReadonlySet<Permission> = new Set(permissions);

/** The account of an open session. Records the use of the session at most once a minute. */
export async function accountOfSession(db: Db, tokenHash: Buffer, { isUse }: Usage = { isUse: true }) {
  const row = await sessions.findSessionAccount(db, tokenHash);
  if (!row) return undefined;
  if (row.lastUseIsStale && isUse) await sessions.recordSessionUse(db, row.session_id);
  return { account: toAccount(row), session: { id: row.session_id, expiresAt: row.expires_at } };
}
