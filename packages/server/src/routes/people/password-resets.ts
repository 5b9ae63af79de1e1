/** Password resets by e-mail, and the sign-in options (docs/decisions/0032). */
import { resetRequested, type passwordResetOperations } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { rejectInvalidIdentity } from '../../engine/people/create-user.ts';
import { Problem } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { failureLimit, type FailureCounts, type FailureLimit } from '../../http/access/failure-limit.ts';
import { networkOf } from '../../http/access/network-of.ts';
import { hashToken } from '../../http/access/session-cookie.ts';
import * as resets from '../../store/people/password-resets.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { foldName, getUser, lockUser, updateUser, type UserRow } from '../../store/people/users.ts';
import { requireEncryption } from './sessions.ts';
import type { SingleSignOn } from './single-sign-on.ts';

export interface Resets {
  /** Whether workers can send e-mails, and know the public URL for the links in them. */
  sendsLinks: boolean;
  /** Limits requests per address, for one name and for all names. */
  requested: FailureLimit;
  requestedByAddress: FailureLimit;
  /** Limits invalid links per address. */
  redeemed: FailureLimit;
  /** A new password resets the count of failed sign-ins. */
  forgetFailures: (address: string, account: Pick<UserRow, 'id' | 'username' | 'email'>) => Promise<void>;
}

export interface ResetServices {
  resets: Resets;
  /** Shown on the sign-in page, if it is configured. */
  singleSignOn: SingleSignOn | null;
}

interface ResetParts extends Pick<Resets, 'sendsLinks' | 'forgetFailures'> {
  countBy: (most: number) => FailureCounts;
}

/**
 * Limits for 15 minutes and one address, which a whole hospital can share. The limit for all names only keeps the table small.
 * An account receives at most three e-mails per hour anyway.
 */
const maxRequests = 5;
const maxRequestsByAddress = 5000;
const maxWrongTokens = 10;

export const createResets = ({ sendsLinks, countBy, forgetFailures }: ResetParts): Resets => ({
  sendsLinks,
  requested: failureLimit(countBy(maxRequests), tooManyRequests),
  requestedByAddress: failureLimit(countBy(maxRequestsByAddress), tooManyRequests),
  redeemed: failureLimit(countBy(maxWrongTokens), tooMany('Too many invalid links from your network address.')),
  forgetFailures,
});

const tooMany = (what: string) => (retryAfterSeconds: number) =>
  new Problem('too_many_resets', `${what} Try again in ${retryAfterSeconds} seconds.`, { retryAfterSeconds });

const tooManyRequests = tooMany('Too many password resets from your network address.');

export const passwordResetHandlers: Handlers<typeof passwordResetOperations, ResetServices> = {
  async getSignInWays(call) {
    return ok({ single_sign_on: call.singleSignOn, password_reset: call.resets.sendsLinks });
  },

  async askPasswordReset(call) {
    if (!call.resets.sendsLinks) {
      throw new Problem(
        'no_mail_server',
        'This server does not send password reset links. Ask an administrator for a new password.',
      );
    }
    const { requested, requestedByAddress } = call.resets;
    const { login } = call.body;
    const pair = `${networkOf(call.client.address)}\0reset asked`;
    // Counts by the name as typed, so that the limit does not reveal whether the account exists.
    await requested.count(`${pair} for ${foldName(login)}`, () =>
      requestedByAddress.count(pair, () => resets.recordResetRequest(call.database.db, login)),
    );
    return { status: 202, body: resetRequested };
  },

  async redeemPasswordReset(call) {
    requireEncryption(call);
    const { db } = call.database;
    const tokenHash = hashToken(call.body.token);
    const user = await getUser(db, await ownerOf(call, tokenHash));
    const { password } = call.body;
    rejectInvalidIdentity({ ...user, password });
    const hash = await call.passwords.hash(password);
    const changed = await inTransaction(db, (tx) => changePassword(tx, call, { user, tokenHash, hash }));
    await call.resets.forgetFailures(call.client.address, user);
    return ok({ username: changed.username });
  },
};

type RedeemCall = Parameters<(typeof passwordResetHandlers)['redeemPasswordReset']>[0];

/**
 * Checked before the password is hashed, so that strangers cannot cause that work. A valid link always works, even if the address
 * has reached its limit, because nobody can guess 256 bits.
 */
async function ownerOf({ resets: { redeemed }, client, database }: RedeemCall, tokenHash: Buffer): Promise<number> {
  const owner = await resets.findReset(database.db, tokenHash);
  if (owner !== undefined) return owner;
  throw await redeemed.count(`${networkOf(client.address)}\0reset redeemed`, async () => wrongToken());
}

const wrongToken = () =>
  new Problem('wrong_reset_token', 'This link is invalid, expired or already used. Request a new one.');

interface NewPassword {
  user: UserRow;
  tokenHash: Buffer;
  hash: string;
}

/** Also ends all sessions of the account and invalidates its other links. */
async function changePassword(tx: Tx, { author }: Pick<Call, 'author'>, { user, tokenHash, hash }: NewPassword) {
  const stored = await lockUser(tx, user.id);
  if (!(await resets.useReset(tx, tokenHash))) throw wrongToken();
  await updateUser(tx, user.id, { password_hash: hash });
  const after = { password: 'changed' };
  const change = { objectKind: 'user', objectId: user.id, before: null, after } as const;
  await recordChange(tx, { ...author, id: user.id }, change);
  return stored;
}
