/** Creates the first administrator of an installation without users, with the configured or a generated password. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Passwords } from '../../passwords.ts';
import { adminRole } from '../../store/people/roles.ts';
import { hasUsers } from '../../store/people/users.ts';
import { createUser, rejectInvalidIdentity } from './create-user.ts';

export interface FirstAdmin {
  username: string;
  /** Undefined if the password was configured. It is shown once and not stored. */
  generatedPassword: string | undefined;
}

/**
 * Returns undefined if users exist. If several processes call this at once, one of them creates the account. `keep` stores a
 * generated password.
 */
export async function createFirstAdmin(
  db: Db,
  passwords: Passwords,
  wanted: Config['firstAdmin'],
  keep: (password: string) => Promise<void> = async () => undefined,
): Promise<FirstAdmin | undefined> {
  if (await hasUsers(db)) return undefined;
  const { username, email } = wanted;
  const password = wanted.password || randomBytes(18).toString('base64url');
  rejectInvalidIdentity({ username, email, password });
  const values = {
    username,
    email,
    name: 'Administrator',
    active: true,
    password_hash: await passwords.hash(password),
  };
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('create-first-admin'))`.execute(tx);
    if (await hasUsers(tx)) return undefined;
    const author = { kind: 'operator' as const, id: null, requestId: null, operation: 'createFirstAdmin' };
    await createUser(tx, author, values, { roles: [adminRole] });
    // Before the commit, so that no account exists whose password nobody can read.
    if (!wanted.password) await keep(password);
    return { username, generatedPassword: wanted.password ? undefined : password };
  });
}
