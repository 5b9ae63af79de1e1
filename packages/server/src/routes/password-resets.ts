/** A new password by mail, and which ways there are to sign in: ours, beyond the specification (docs/decisions/0032). */
import { resetAskedFor, type passwordResetOperations } from '@milepost/api';
import type { Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { refuseFaultyIdentity } from '../engine/people/create-user.ts';
import { Problem } from '../errors.ts';
import { ok, type Call, type Handlers } from '../http/call.ts';
import { failureLimit, type FailureCounts, type FailureLimit } from '../http/failure-limit.ts';
import { networkOf } from '../http/network-of.ts';
import { hashToken } from '../http/session-cookie.ts';
import * as resets from '../store/password-resets.ts';
import { recordChange } from '../store/record-change.ts';
import { foldName, getUser, lockUser, updateUser, type UserRow } from '../store/users.ts';
import { refuseListeners } from './sessions.ts';

export interface Resets {
  /** Whether workers have a mail server to send letters by, and an address for the links in them. */
  sendsLinks: boolean;
  /** Of those who ask, for one name and for all. */
  asked: FailureLimit;
  askedByAddress: FailureLimit;
  /** Of those who come with a token. */
  redeemed: FailureLimit;
  /** Whoever has a new password may begin anew. */
  forgetFailures: (address: string, account: Pick<UserRow, 'id' | 'username' | 'email'>) => Promise<void>;
}

interface ResetParts extends Pick<Resets, 'sendsLinks' | 'forgetFailures'> {
  countBy: (most: number) => FailureCounts;
}

/**
 * In 15 minutes from one address, behind which a whole hospital may sit. No more than three letters an hour are sent for one name;
 * the number for all names keeps the table small, and is more than somebody asks for by hand.
 */
const mostAsked = 5;
const mostAskedByAddress = 5000;
const mostWrongTokens = 10;

export const createResets = ({ sendsLinks, countBy, forgetFailures }: ResetParts): Resets => ({
  sendsLinks,
  asked: failureLimit(countBy(mostAsked), askedTooOften),
  askedByAddress: failureLimit(countBy(mostAskedByAddress), askedTooOften),
  redeemed: failureLimit(countBy(mostWrongTokens), tooMany('Too many links from your address did not work.')),
  forgetFailures,
});

const tooMany = (what: string) => (retryAfterSeconds: number) =>
  new Problem('too_many_resets', `${what} Wait ${retryAfterSeconds} s, then try again.`, { retryAfterSeconds });

const askedTooOften = tooMany('New passwords were asked for too often from your address.');

export const passwordResetHandlers: Handlers<typeof passwordResetOperations> = {
  async getSignInWays(call) {
    const { singleSignOn, resets: ways } = call;
    return ok({ single_sign_on: singleSignOn, password_reset: ways.sendsLinks });
  },

  async askPasswordReset(call) {
    if (!call.resets.sendsLinks) {
      throw new Problem(
        'no_mail_server',
        'No links to new passwords are sent from here. Ask an administrator for one.',
      );
    }
    const { asked, askedByAddress } = call.resets;
    const { login } = call.body;
    const pair = `${networkOf(call.client.address)}\0reset asked`;
    // By what was typed, so that it tells nothing about accounts.
    await asked.count(`${pair} for ${foldName(login)}`, () =>
      askedByAddress.count(pair, () => resets.noteAsked(call.database.db, login)),
    );
    return { status: 202, body: resetAskedFor };
  },

  async redeemPasswordReset(call) {
    refuseListeners(call);
    const { db } = call.database;
    const tokenHash = hashToken(call.body.token);
    const user = await getUser(db, await ownerOf(call, tokenHash));
    const { password } = call.body;
    refuseFaultyIdentity({ ...user, password });
    const hash = await call.passwords.hash(password);
    const changed = await inTransaction(db, (tx) => changePassword(tx, call, { user, tokenHash, hash }));
    await call.resets.forgetFailures(call.client.address, user);
    return ok({ username: changed.username });
  },
};

type RedeemCall = Parameters<(typeof passwordResetHandlers)['redeemPasswordReset']>[0];

/**
 * Before the password is looked at, and hashed: strangers cannot make the server do that. Nobody guesses 256 bits, so a link that works
 * does so whatever others behind the same address have sent.
 */
async function ownerOf({ resets: { redeemed }, client, database }: RedeemCall, tokenHash: Buffer): Promise<number> {
  const owner = await resets.findReset(database.db, tokenHash);
  if (owner !== undefined) return owner;
  throw await redeemed.count(`${networkOf(client.address)}\0reset redeemed`, async () => wrongToken());
}

const wrongToken = () =>
  new Problem('wrong_reset_token', 'This link was used before, is over, or was none of ours. Ask for another one.');

interface NewPassword {
  user: UserRow;
  tokenHash: Buffer;
  hash: string;
}

/** Ends every session of the account, and every other link to it. */
async function changePassword(tx: Tx, { author }: Pick<Call, 'author'>, { user, tokenHash, hash }: NewPassword) {
  const stored = await lockUser(tx, user.id);
  if (!(await resets.useReset(tx, tokenHash))) throw wrongToken();
  await updateUser(tx, user.id, { password_hash: hash });
  const after = { password: 'changed' };
  const change = { objectKind: 'user', objectId: user.id, before: null, after } as const;
  await recordChange(tx, { ...author, id: user.id }, change);
  return stored;
}
