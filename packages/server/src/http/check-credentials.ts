/**
 * Names and passwords, wherever they come from: HTTP Basic, the sign-in of a page. The user's row is read each time, so that
 * rights act at once; the slow check of the password is remembered for a minute under a keyed hash that is bound to the
 * stored one.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { Problem } from '../errors.ts';
import type { Passwords } from '../passwords.ts';
import { foldName } from '../store/users.ts';
import type { Account, CheckCredentials } from './call.ts';
import { failureLimit, type FailureCounts } from './failure-limit.ts';
import { networkOf } from './network-of.ts';

export interface Accounts {
  find: (login: string) => Promise<Account | undefined>;
  /** Called after a successful sign-in whose stored hash is weaker than today's. */
  strengthen: (account: Account, password: string) => Promise<void>;
}

const rememberedMs = 60_000;
const mostRemembered = 10_000;
const mostByAddress = 100;

export function createCredentialsCheck(
  accounts: Accounts,
  passwords: Passwords,
  failures: FailureCounts,
  now: () => number = Date.now,
): CheckCredentials {
  const remembered = rememberCredentials(now);
  const limit = failureLimit(failures);
  const once = shareRunning<boolean>();
  const places = placesByAddress();

  return async ({ address, ...credentials }) => {
    const account = await accounts.find(credentials.login);
    const usable = account?.active ? account : undefined;
    if (usable && remembered.has(usable, credentials.password)) return usable;

    const byName = pairOfName(address, credentials.login);
    const byAccount = account ? pairOfAccount(address, account) : `${byName}\0nobody`;
    const hash = usable?.passwordHash ?? undefined;
    const verify = (against: string | undefined) => passwords.verify(against, credentials.password);
    // The stored hash is part of the question: an answer about the password of a moment ago is none about today's.
    const verified = await once(`${byName}\0${hash}\0${credentials.password}`, async () => {
      const right = await places.take(networkOf(address), () =>
        limit.count(byName, () =>
          // Too many with other names of the account: 429 would tell that they belong together, so none is right any more.
          limit.count(
            byAccount,
            () => verify(hash),
            () => verify(undefined),
          ),
        ),
      );
      if (right) await Promise.all([byName, byAccount].map(limit.takeBack));
      return right;
    });
    if (!verified || !usable) {
      throw new Problem('wrong_credentials', 'There is no active account with this name and password.');
    }
    remembered.add(usable, credentials.password);
    if (usable.passwordHash && passwords.isWeak(usable.passwordHash))
      await accounts.strengthen(usable, credentials.password);
    return usable;
  };
}

/**
 * What failures are counted by: the name that was typed, which alone decides who is told to wait, and the account, whichever of its
 * names was typed. A name that nobody has is counted twice as well, so that it takes as long.
 */
const pairOfName = (address: string, login: string): string => `${networkOf(address)}\0name ${foldName(login)}`;
const pairOfAccount = (address: string, { id }: Pick<Account, 'id'>): string => `${networkOf(address)}\0id ${id}`;

/** All that failures of an account are counted by. */
export const pairsOf = (address: string, account: { id: number; username: string; email: string }): string[] => [
  pairOfAccount(address, account),
  ...[account.username, account.email].map((login) => pairOfName(address, login)),
];

/** The same question asked again while it is being answered waits for that answer: a client may start with 50 requests. */
function shareRunning<T>() {
  const running = new Map<string, Promise<T>>();
  return (question: string, answer: () => Promise<T>): Promise<T> => {
    const found = running.get(question);
    if (found) return found;
    const answering = answer().finally(() => running.delete(question));
    running.set(question, answering);
    return answering;
  };
}

/** One address alone cannot take all the places in which passwords are checked. */
function placesByAddress() {
  const taken = new Map<string, number>();
  const change = (address: string, by: number) => {
    const now = (taken.get(address) ?? 0) + by;
    if (now === 0) taken.delete(address);
    else taken.set(address, now);
  };
  const take = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    if ((taken.get(address) ?? 0) >= mostByAddress) {
      throw new Problem('busy', 'Too many people are signing in from your address at this moment. Try again shortly.', {
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

function rememberCredentials(now: () => number) {
  const key = randomBytes(32);
  const until = new Map<string, number>();
  const digest = ({ id, passwordHash }: Account, password: string) =>
    createHmac('sha256', key).update(`${id}\0${passwordHash}\0${password}`).digest('base64');
  return {
    has: (account: Account, password: string) => (until.get(digest(account, password)) ?? 0) > now(),
    add(account: Account, password: string) {
      // Insertion order is the order of expiry, so the first one is the oldest.
      for (const [oldest, expiry] of until) {
        if (until.size < mostRemembered && expiry > now()) break;
        until.delete(oldest);
      }
      until.set(digest(account, password), now() + rememberedMs);
    },
  };
}
