/**
 * Hashes the new passwords of a configuration file before its transaction starts, because hashing is slow. Unchanged passwords
 * are not hashed again, so importing the same file twice changes nothing. Rejected passwords are returned with the reason.
 */
import type { Db } from '../../database/connection.ts';
import type { Fault } from '@milepost/api';
import { invalid } from '../../errors.ts';
import { faultOfPassword, type Passwords } from '../../passwords.ts';
import { findAccount, type AccountRow } from '../../store/people/users.ts';
import type { UserEntry } from '@milepost/definitions';
import { faultsOfIdentity } from '../people/create-user.ts';

const maxPasswords = 200;

/** The hash of a new password, or why it was rejected. */
export type FilePassword = { hash: string } | { fault: string };

/** Returns the new passwords by the user's index in the file. */
export async function hashConfigPasswords(
  db: Db,
  passwords: Passwords,
  users: readonly UserEntry[],
  overwrite: boolean,
): Promise<Map<number, FilePassword>> {
  reject(users.flatMap(({ username, email }, index) => faultsOfIdentity({ username, email }, `/users/${index}`)));
  const known = await Promise.all(users.map((user) => findStored(db, user)));
  reject(users.flatMap((user, index) => (known[index] || user.password !== undefined ? [] : [needsPassword(index)])));
  const given = users.flatMap(({ password, username, email }, index) =>
    password === undefined || (known[index] && !overwrite)
      ? []
      : [{ index, password, stored: known[index], fault: faultOfPassword(password, [username, email]) }],
  );
  rejectTooMany(given.filter(({ fault }) => fault === undefined).length);
  const found = new Map<number, FilePassword>();
  for (const { index, password, stored, fault } of given) {
    if (fault !== undefined) found.set(index, { fault });
    else if (!stored || !(await passwords.verify(stored.password_hash ?? undefined, password)))
      found.set(index, { hash: await passwords.hash(password) });
  }
  return found;
}

/** Verifying an unchanged password takes as long as hashing a new one. */
function rejectTooMany(count: number): void {
  if (count <= maxPasswords) return;
  const detail = `The file sets ${count} passwords, but at most ${maxPasswords} are allowed. Split it.`;
  reject([{ pointer: '/users', detail }]);
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
