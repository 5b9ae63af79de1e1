/**
 * Checks names and passwords from HTTP Basic and from the sign-in page. The user's row is read every time, so that permission
 * changes apply immediately. A successful password check is cached for one minute, under a keyed hash that includes the stored
 * hash.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { Problem } from '../../errors.ts';
import type { Passwords } from '../../passwords.ts';
import { foldName } from '../../store/people/users.ts';
import type { Account, CheckCredentials } from '../call.ts';
import { failureLimit, type FailureCounts } from './failure-limit.ts';
import { networkOf } from './network-of.ts';

export interface Accounts {
  find: (login: string) => Promise<Account | undefined>;
  /** Called after a successful sign-in if the stored hash is weaker than the current settings. */
  strengthen: (account: Account, password: string) => Promise<void>;
}

const cachedMs = 60_000;
const maxCached = 10_000;
const maxPerAddress = 100;

export function createCredentialsCheck(
  accounts: Accounts,
  passwords: Passwords,
  failures: FailureCounts,
  now: () => number = Date.now,
): CheckCredentials {
  const cache = createCredentialsCache(now);
  const limit = failureLimit(failures);
  const once = shareInFlight<boolean>();
  const slots = slotsByAddress();

  return async ({ address, ...credentials }) => {
    const account = await accounts.find(credentials.login);
    const usable = account?.active ? account : undefined;
    if (usable && cache.has(usable, credentials.password)) return usable;

    const byName = pairOfName(address, credentials.login);
    const byAccount = account ? pairOfAccount(address, account) : `${byName}\0nobody`;
    const hash = usable?.passwordHash ?? undefined;
    const verify = (against: string | undefined) => passwords.verify(against, credentials.password);
    // The key includes the stored hash, so that a check against the old password is not reused after a change.
    const verified = await once(`${byName}\0${hash}\0${credentials.password}`, async () => {
      const right = await slots.take(networkOf(address), () =>
        limit.count(byName, () =>
          // Too many failures under another name of the account: 429 would reveal the connection, so every password fails.
          limit.count(
            byAccount,
            () => verify(hash),
            () => verify(undefined),
          ),
        ),
      );
      if (right) await Promise.all([byName, byAccount].map(limit.removeAttempt));
      return right;
    });
    if (!verified || !usable) {
      throw new Problem('wrong_credentials', 'The username or password is wrong, or the account is deactivated.');
    }
    cache.add(usable, credentials.password);
    if (usable.passwordHash && passwords.isWeak(usable.passwordHash))
      await accounts.strengthen(usable, credentials.password);
    return usable;
  };
}

/**
 * Failures are counted by the login that was typed, which alone decides whether the client must wait, and by the account,
 * whichever of its names was typed. An unknown login also updates two counters, so it takes as long as a known one.
 */
const pairOfName = (address: string, login: string): string => `${networkOf(address)}\0name ${foldName(login)}`;
const pairOfAccount = (address: string, { id }: Pick<Account, 'id'>): string => `${networkOf(address)}\0id ${id}`;

/** All keys under which failures of an account are counted. */
export const pairsOf = (address: string, account: { id: number; username: string; email: string }): string[] => [
  pairOfAccount(address, account),
  ...[account.username, account.email].map((login) => pairOfName(address, login)),
];

/** Identical checks at the same time share one result, because a client may start with 50 requests. */
function shareInFlight<T>() {
  const running = new Map<string, Promise<T>>();
  return (key: string, check: () => Promise<T>): Promise<T> => {
    const found = running.get(key);
    if (found) return found;
    const checking = check().finally(() => running.delete(key));
    running.set(key, checking);
    return checking;
  };
}

/** Keeps one address from occupying all slots for password checks. */
function slotsByAddress() {
  const taken = new Map<string, number>();
  const change = (address: string, by: number) => {
    const now = (taken.get(address) ?? 0) + by;
    if (now === 0) taken.delete(address);
    else taken.set(address, now);
  };
  const take = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    if ((taken.get(address) ?? 0) >= maxPerAddress) {
      throw new Problem('busy', 'Too many sign-ins from your network address. Try again in 5 seconds.', {
        retryAfterSeconds: 5,
      });
    }
    change(address, 1);
    try {
      return await work();
    } finally {
      change(address, -1);
    }
  };
  return { take };
}

function createCredentialsCache(now: () => number) {
  const key = randomBytes(32);
  const until = new Map<string, number>();
  const digest = ({ id, passwordHash }: Account, password: string) =>
    createHmac('sha256', key).update(`${id}\0${passwordHash}\0${password}`).digest('base64');
  return {
    has: (account: Account, password: string) => (until.get(digest(account, password)) ?? 0) > now(),
    add(account: Account, password: string) {
      // Entries are in insertion order, so the first one expires first.
      for (const [oldest, expiry] of until) {
        if (until.size < maxCached && expiry > now()) break;
        until.delete(oldest);
      }
      until.set(digest(account, password), now() + cachedMs);
    },
  };
}
