/**
 * Checks names and passwords from HTTP Basic and from the sign-in page. The user's row is read every time, here or with the data of
 * the handler (deferred-account.ts), so that permission changes apply immediately. A successful password check is remembered for one
 * minute, under a keyed hash of name and password, and counts as long as the stored hash is the same.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Problem } from '../../errors.ts';
import type { Passwords } from '../../passwords.ts';
import { foldName } from '../../store/people/users.ts';
import type { Account, CheckCredentials, Credentials } from '../call.ts';
import type { RememberedCredentials } from './deferred-account.ts';
import { failureLimit, type FailureCounts } from './failure-limit.ts';
import { networkOf } from './network-of.ts';

export interface Accounts {
  find: (login: string) => Promise<Account | undefined>;
  /** Called after a successful sign-in if the stored hash is weaker than the current settings. */
  strengthen: (account: Account, password: string) => Promise<void>;
}

export interface CredentialsCheck extends CheckCredentials {
  /** Whose credentials these are, if they were checked in the last minute. The account may have changed since. */
  recall: (credentials: Credentials) => RememberedCredentials | undefined;
}

const cachedMs = 60_000;
const maxCached = 10_000;
const maxPerAddress = 100;

export function createCredentialsCheck(
  accounts: Accounts,
  passwords: Passwords,
  failures: FailureCounts,
  now: () => number = Date.now,
): CredentialsCheck {
  const cache = createCredentialsCache(now);
  const limit = failureLimit(failures);
  const once = shareInFlight<boolean>();
  const slots = slotsByAddress();

  const check: CheckCredentials = async ({ address, ...credentials }) => {
    const account = await accounts.find(credentials.login);
    const usable = account?.active ? account : undefined;
    if (usable && cache.has(usable, credentials)) return usable;

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
    cache.add(usable, credentials);
    if (usable.passwordHash && passwords.isWeak(usable.passwordHash))
      await accounts.strengthen(usable, credentials.password);
    return usable;
  };
  return Object.assign(check, { recall: cache.recall });
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

type Typed = Pick<Credentials, 'login' | 'password'>;

function createCredentialsCache(now: () => number) {
  // Node prepares a key from bytes again for each digest, which takes six times as long as the digest.
  const key = createSecretKey(randomBytes(32));
  const known = new Map<string, RememberedCredentials & { until: number }>();
  const digest = ({ login, password }: Typed) =>
    createHmac('sha256', key)
      .update(`${foldName(login)}\0${password}`)
      .digest('base64');
  const recall = (typed: Typed) => {
    const found = known.get(digest(typed));
    return found && found.until > now() ? found : undefined;
  };
  return {
    recall,
    has({ id, passwordHash }: Account, typed: Typed) {
      const found = recall(typed);
      return found !== undefined && found.userId === id && found.passwordHash === passwordHash;
    },
    add({ id, passwordHash }: Account, typed: Typed) {
      const entry = digest(typed);
      known.delete(entry);
      // Entries are in insertion order, so the first one expires first.
      for (const [oldest, { until }] of known) {
        if (known.size < maxCached && until > now()) break;
        known.delete(oldest);
      }
      known.set(entry, { login: foldName(typed.login), userId: id, passwordHash, until: now() + cachedMs });
    },
  };
}
