/** Makes a user: what every way of making one (a request, an import, the first start) has in common. */
import type { Tx } from '../../database/connection.ts';
import { invalid, type Fault } from '../../errors.ts';
import { faultOfPassword } from '../../passwords.ts';
import type { Author } from '../../store/history.ts';
import { recordChange, type Change } from '../../store/record-change.ts';
import { getRoleByName, insertUserRole } from '../../store/roles.ts';
import { foldName, insertUser, type UserRow, type UserValues } from '../../store/users.ts';

export async function createUser(
  tx: Tx,
  author: Author,
  values: UserValues,
  roles: readonly string[],
): Promise<UserRow> {
  const { user, change } = await makeUser(tx, values, roles);
  await recordChange(tx, author, change);
  return user;
}

/** What is still to be recorded comes along. `roles` are the names of those that the user has, for all cohorts. */
export async function makeUser(
  tx: Tx,
  values: UserValues,
  roles: readonly string[],
): Promise<{ user: UserRow; change: Change }> {
  const user = await insertUser(tx, values);
  for (const name of roles) await insertUserRole(tx, user.id, (await getRoleByName(tx, name)).id);
  const { password_hash: _secret, ...shown } = values;
  const after = { ...shown, roles: [...roles] };
  return { user, change: { objectKind: 'user', objectId: user.id, before: null, after } };
}

export interface Identity {
  username: string;
  email: string;
  password?: string | undefined;
}

/** What is wrong with a username or password beyond its form. `at` is where the fields stand. */
export function faultsOfIdentity({ username, email, password }: Identity, at = ''): Fault[] {
  const faults: Fault[] = [];
  const add = (field: string, detail: string | undefined) => {
    if (detail !== undefined) faults.push({ pointer: `${at}/${field}`, detail: `${at}/${field} ${detail}` });
  };
  // Folded first: a sign that only looks like an @ becomes one when names are compared.
  if (foldName(username).includes('@') && foldName(username) !== foldName(email)) {
    add('username', 'may hold an @ only if it is the e-mail of the same user.');
  }
  if (password !== undefined) add('password', faultOfPassword(password, [username, email]));
  return faults;
}

export function refuseFaultyIdentity(identity: Identity): void {
  const faults = faultsOfIdentity(identity);
  if (faults.length > 0) throw invalid(...faults);
}
