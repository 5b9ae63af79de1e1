/**
 * Hashes the new passwords of a configuration file before its transaction starts, because hashing is slow. Unchanged passwords
 * are not hashed again, so importing the same file twice changes nothing.
 */
import type { Db } from '../../database/connection.ts';
import { invalid, type Fault } from '../../errors.ts';
import type { Passwords } from '../../passwords.ts';
import { findAccount, type AccountRow } from '../../store/users.ts';
import type { UserEntry } from './config-definition.ts';
import { faultsOfIdentity } from '../people/create-user.ts';

const maxPasswords = 200;

/** Returns the hashes by the user's index in the file. */
export async function hashConfigPasswords(
  db: Db,
  passwords: Passwords,
  users: readonly UserEntry[],
  overwrite: boolean,
): Promise<Map<number, string>> {
  reject(users.flatMap((user, index) => faultsOfIdentity(user, `/users/${index}`)));
  const known = await Promise.all(users.map((user) => findStored(db, user)));
  reject(users.flatMap((user, index) => (known[index] || user.password !== undefined ? [] : [needsPassword(index)])));
  const given = users.flatMap(({ password }, index) =>
    password === undefined || (known[index] && !overwrite) ? [] : [{ index, password, stored: known[index] }],
  );
  // Verifying an unchanged password takes as long as hashing a new one.
  if (given.length > maxPasswords) {
    const detail = `The file sets ${given.length} passwords, but at most ${maxPasswords} are allowed. Split it.`;
    reject([{ pointer: '/users', detail }]);
  }
  const hashes = new Map<number, string>();
  for (const { index, password, stored } of given) {
    if (stored && (await passwords.verify(stored.password_hash ?? undefined, password))) continue;
    hashes.set(index, await passwords.hash(password));
  }
  return hashes;
}

const findStored = async (db: Db, user: UserEntry): Promise<AccountRow | undefined> =>
  (await findAccount(db, user.username)) ?? findAccount(db, user.email);

const needsPassword = (index: number): Fault => ({
  pointer: `/users/${index}`,
  detail: `/users/${index} is a new user and needs a password.`,
});

function reject(faults: Fault[]): void {
  if (faults.length > 0) throw invalid(...faults);
}
