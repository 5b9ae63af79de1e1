/**
 * The account of a caller whose password was checked less than a minute ago, before its row is read. It has no rights. A handler that
 * is marked with `readsAccount` reads the row together with its own data and passes it to `confirm`, which determines the rights as
 * they are now. That saves a round trip to the database.
 */
import type { AccountRow } from '../../store/people/users.ts';
import { noCohorts } from '../../store/scope.ts';
import type { Account, AnyHandler } from '../call.ts';
import { toAccount } from './accounts.ts';

/** What is remembered of credentials. */
export interface RememberedCredentials {
  userId: number;
  passwordHash: string | null;
}

/** `check` checks the credentials again. It is called if the row does not match what is remembered. */
export function deferAccount({ userId, passwordHash }: RememberedCredentials, check: () => Promise<Account>): Account {
  const read = async (row: AccountRow | undefined) =>
    row?.active && row.id === userId && row.password_hash === passwordHash ? toAccount(row) : check();
  const account: Account = {
    id: userId,
    username: '',
    passwordHash,
    active: true,
    roles: [],
    permissions: new Set(),
    cohortRoles: [],
    scope: noCohorts,
    confirm: async (row) => void Object.assign(account, await read(row), { confirm: undefined }),
  };
  return account;
}

/** Checks the rights of a deferred account as soon as it has any. */
export function authorizeOnceConfirmed(account: Account, authorize: (confirmed: Account) => Account): Account {
  const { confirm } = account;
  account.confirm = async (row) => {
    await confirm?.(row);
    Object.assign(account, authorize(account));
  };
  return account;
}

/** Marks a handler that confirms deferred accounts. */
export const readsAccount = <H extends (call: never) => unknown>(handler: H): H =>
  Object.assign(handler, { readsAccount: true });

export const canDefer = (handler: AnyHandler): boolean => 'readsAccount' in handler;
