/**
 * Sets a new password on behalf of the operator, for an installation whose administrators cannot sign in. It ends the sessions and reset
 * links of the account, as every change of a password does.
 */
import { randomBytes } from 'node:crypto';
import type { Db } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { Problem } from '../../errors.ts';
import type { Passwords } from '../../passwords.ts';
import { recordChange } from '../../store/record/record-change.ts';
import {
  findAccount,
  getUser,
  isServiceAccountWithId,
  lockUser,
  updateUser,
  type UserRow,
} from '../../store/people/users.ts';
import { rejectInvalidIdentity } from './create-user.ts';

export interface NewPassword {
  /** The username or the e-mail address. */
  login: string;
  /** Undefined: a generated one. */
  password?: string | undefined;
}

export interface ResetPassword {
  username: string;
  password: string;
}

export async function resetPassword(db: Db, passwords: Passwords, wanted: NewPassword): Promise<ResetPassword> {
  const user = await findUser(db, wanted.login);
  const password = wanted.password ?? randomBytes(18).toString('base64url');
  rejectInvalidIdentity({ ...user, password });
  const hash = await passwords.hash(password);
  await inTransaction(db, async (tx) => {
    await lockUser(tx, user.id);
    await updateUser(tx, user.id, { password_hash: hash });
    const author = { kind: 'operator' as const, id: null, requestId: null, operation: 'resetPassword' };
    const after = { password: 'changed' };
    await recordChange(tx, author, { objectKind: 'user', objectId: user.id, before: null, after });
  });
  return { username: user.username, password };
}

/** A user of single sign-on can get a password, because the provider may be what does not work. */
async function findUser(db: Db, login: string): Promise<UserRow> {
  const account = await findAccount(db, login);
  if (!account) throw new Problem('not_found', `No user has the username or e-mail address "${login}".`);
  const { id, username, active } = account;
  if (!active) throw cannotSignIn(`${username} is deactivated and cannot sign in.`);
  if (await isServiceAccountWithId(db, id))
    throw cannotSignIn(`${username} is a service account, which signs in with API tokens only.`);
  return getUser(db, id);
}

const cannotSignIn = (reason: string) =>
  new Problem('invalid_request', `${reason} Name a user who can sign in with a password.`);
