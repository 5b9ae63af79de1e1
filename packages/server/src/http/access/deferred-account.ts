/**
 * The account of a caller whose password was checked less than a minute ago, before its row is read. It has no permissions. A handler
 * that is marked with `readsAccount` reads the row together with its own data and passes it to `confirm`, which determines the
 * permissions as they are now. That saves a round trip to the database.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors.ts';
import type { AccountRowWithLogins } from '../../store/people/users.ts';
import { noCohorts } from '../../store/scope.ts';
import type { Account, AnyHandler } from '../call.ts';
import { toAccount } from './accounts.ts';

/** What is remembered of credentials. */
export interface RememberedCredentials {
  /** The typed name, folded. */
  login: string;
  userId: number;
  passwordHash: string | null;
}

/** `check` checks the credentials again. It is called once, if the row does not match what is remembered. */
export function deferAccount(remembered: RememberedCredentials, check: () => Promise<Account>): Account {
  const { userId, passwordHash } = remembered;
  const read = async (row: AccountRowWithLogins | undefined) => {
    const found = row && isSame(row, remembered) ? toAccount(row) : await check();
    // The name may belong to another account by now. The request is already recorded under the remembered one.
    if (found.id !== userId)
      throw new Problem('wrong_credentials', 'This name belongs to another account now. Try again.');
    return found;
  };
  let confirmed: Promise<void> | undefined;
  const account: Account = {
    id: userId,
    username: '',
    passwordHash,
    active: true,
    roles: [],
    permissions: new Set(),
    cohortRoles: [],
    scope: noCohorts,
    confirm: (row) =>
      (confirmed ??= read(row).then((found) => void Object.assign(account, found, { confirm: undefined }))),
  };
  return account;
}

const isSame = (row: AccountRowWithLogins, { login, userId, passwordHash }: RememberedCredentials) =>
  row.active && row.id === userId && row.password_hash === passwordHash && row.logins.includes(login);

/** Checks the permissions of a deferred account as soon as they are known. */
export function authorizeOnceConfirmed(account: Account, authorize: (confirmed: Account) => Account): Account {
  const { confirm } = account;
  account.confirm = async (row) => {
    await confirm?.(row);
    Object.assign(account, authorize(account));
  };
  return account;
}

/**
 * Missing permissions and wrong secrets are reported before any other error of a request, also before those of its body, which is read before the handler
 * is called. Errors of the server are reported as they are.
 */
export async function errorToReport({ account, sender }: FastifyRequest, error: unknown): Promise<unknown> {
  const confirm = account?.confirm ?? sender?.execution?.confirm;
  if (!confirm || !isRejection(error)) return error;
  return confirm().then(
    () => error,
    (denied: unknown) => denied,
  );
}

const isRejection = (error: unknown) =>
  error instanceof Problem ? error.status < 500 : ((error as { statusCode?: number }).statusCode ?? 500) < 500;

/** Marks a handler that confirms deferred accounts. */
export const readsAccount = <H extends (call: never) => unknown>(handler: H): H =>
  Object.assign(handler, { readsAccount: true });

export const canDeferAccount = (handler: AnyHandler): boolean => 'readsAccount' in handler;
