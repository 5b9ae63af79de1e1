/**
 * Hashes the new passwords of a configuration file before its transaction begins: hashing takes long, and a transaction
 * must not. A password that the user has already is left alone, so that importing the same file twice changes nothing.
 */
import type { Db } from '../database/connection.ts';
import { invalid, type Fault } from '../errors.ts';
import type { Passwords } from '../passwords.ts';
import { findAccount, type AccountRow } from '../store/users.ts';
import type { UserEntry } from './config-definition.ts';
import { faultsOfIdentity } from './create-user.ts';

const mostPasswords = 200;

/** By the user's place in the file. */
export async function hashConfigPasswords(
  db: Db,
  passwords: Passwords,
  users: readonly UserEntry[],
  overwrite: boolean,
): Promise<Map<number, string>> {
  refuse(users.flatMap((user, index) => faultsOfIdentity(user, `/users/${index}`)));
  const hashes = new Map<number, string>();
  const faults: Fault[] = [];
  for (const [index, user] of users.entries()) {
    const stored = (await findAccount(db, user.username)) ?? (await findAccount(db, user.email));
    const pointer = `/users/${index}`;
    if (!stored && user.password === undefined)
      faults.push({ pointer, detail: `${pointer} is a new user and needs a password.` });
    if (!(await isNewPassword(passwords, user.password, stored, overwrite))) continue;
    if (hashes.size >= mostPasswords)
      refuse([
        { pointer: '/users', detail: `More than ${mostPasswords} new passwords in one import: split the file.` },
      ]);
    hashes.set(index, await passwords.hash(user.password ?? ''));
  }
  refuse(faults);
  return hashes;
}

async function isNewPassword(
  passwords: Passwords,
  password: string | undefined,
  stored: AccountRow | undefined,
  overwrite: boolean,
) {
  if (password === undefined) return false;
  if (!stored) return true;
  return overwrite && !(await passwords.verify(stored.password_hash ?? undefined, password));
}

function refuse(faults: Fault[]): void {
  if (faults.length > 0) throw invalid(...faults);
}
