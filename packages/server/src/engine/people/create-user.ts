/** Creates a user, for requests, imports and the first start. */
import type { Tx } from '../../database/connection.ts';
import type { Fault } from '@milepost/api';
import { invalid } from '../../errors.ts';
import { faultOfPassword } from '../../passwords.ts';
import type { Author } from '../../store/record/history.ts';
import { recordChange, type Change } from '../../store/record/record-change.ts';
import { insertCohortRoles } from '../../store/people/cohort-roles.ts';
import { getRoleByName, insertUserRole } from '../../store/people/roles.ts';
import { foldName, insertUser, type UserRow, type UserValues } from '../../store/people/users.ts';

/** A role in individual cohorts. */
export interface CohortsOfRole {
  role: { id: number; name: string };
  cohorts: readonly { id: number; label: string }[];
}

export interface NewRoles {
  /** The names of the roles for all cohorts. */
  roles: readonly string[];
  inCohorts?: readonly CohortsOfRole[];
}

export async function createUser(tx: Tx, author: Author, values: UserValues, newRoles: NewRoles): Promise<UserRow> {
  const { user, change } = await insertUserWithRoles(tx, values, newRoles);
  await recordChange(tx, author, change);
  return user;
}

/** Returns the change for the caller to record. */
export async function insertUserWithRoles(
  tx: Tx,
  values: UserValues,
  { roles, inCohorts = [] }: NewRoles,
): Promise<{ user: UserRow; change: Change }> {
  const user = await insertUser(tx, values);
  for (const name of roles) await insertUserRole(tx, user.id, (await getRoleByName(tx, name)).id);
  for (const { role, cohorts } of inCohorts) {
    await insertCohortRoles(tx, { user_id: user.id, role_id: role.id, cohort_ids: cohorts.map(({ id }) => id) });
  }
  const { password_hash: _secret, awaits_password: _first, ...shown } = values;
  const cohort_roles = inCohorts.map(({ role, cohorts }) => ({ role: role.name, cohorts }));
  const after = { ...shown, roles: [...roles], ...(cohort_roles.length > 0 && { cohort_roles }) };
  return { user, change: { objectKind: 'user', objectId: user.id, before: null, after } };
}

export interface Identity {
  username: string;
  email: string;
  password?: string | undefined;
}

/** Checks a username and password beyond their format. `at` is the pointer to the object that has the fields. */
export function faultsOfIdentity({ username, email, password }: Identity, at = ''): Fault[] {
  const faults: Fault[] = [];
  const add = (field: string, detail: string | undefined) => {
    if (detail !== undefined) faults.push({ pointer: `${at}/${field}`, detail: `${at}/${field} ${detail}` });
  };
  // Folded first, because characters that look like @ become one when names are compared.
  if (foldName(username).includes('@') && foldName(username) !== foldName(email)) {
    add('username', 'can contain an @ only if it is the e-mail address of the same user.');
  }
  if (password !== undefined) add('password', faultOfPassword(password, [username, email]));
  return faults;
}

export function rejectInvalidIdentity(identity: Identity): void {
  const faults = faultsOfIdentity(identity);
  if (faults.length > 0) throw invalid(...faults);
}
