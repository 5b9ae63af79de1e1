/** Makes the first account, where there is none: from the settings, or with a generated password. Never a default one. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Passwords } from '../../passwords.ts';
import { adminRole } from '../../store/roles.ts';
import { hasUsers } from '../../store/users.ts';
import { createUser, refuseFaultyIdentity } from './create-user.ts';

export interface FirstAdmin {
  username: string;
  /** Only where it was generated: it is shown once and stored nowhere. */
  generatedPassword: string | undefined;
}

/** Undefined where there are users already. Any number of processes may ask at once: one makes it. */
export async function createFirstAdmin(
  db: Db,
  passwords: Passwords,
  wanted: Config['firstAdmin'],
): Promise<FirstAdmin | undefined> {
  if (await hasUsers(db)) return undefined;
  const { username, email } = wanted;
  const password = wanted.password || randomBytes(18).toString('base64url');
  refuseFaultyIdentity({ username, email, password });
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
    await createUser(tx, author, values, [adminRole]);
    return { username, generatedPassword: wanted.password ? undefined : password };
  });
}
