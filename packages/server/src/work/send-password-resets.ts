/**
 * Sends mails with a password reset link. The token is created just before sending, and only its hash is stored. It follows the #
 * of the link, which browsers send to no server. If a worker dies while sending, another one sends a new token. The old one stays
 * valid, because its mail may have arrived.
 */
import type { Logger } from 'pino';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { createToken, hashToken } from '../http/access/session-cookie.ts';
import type { Mail } from '../outgoing/create-mail.ts';
import { OutgoingRefused } from '../outgoing/outgoing-errors.ts';
import * as resets from '../store/people/password-resets.ts';
import { recordChange } from '../store/record/record-change.ts';
import { lockUser } from '../store/people/users.ts';

export interface ResetMail {
  mail: Mail;
  publicUrl: string;
  log: Logger;
}

interface ResetMessage {
  resetId: number;
  tries: number;
  userId: number;
  to: string;
  token: string;
}

/** Sends all pending resets that are due. */
export async function sendPasswordResets(db: Db, by: ResetMail, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await inTransaction(db, prepare);
    if (next === 'none pending') return;
    if (next !== 'dropped') await send(db, by, next, signal);
  }
}

async function prepare(tx: Tx): Promise<ResetMessage | 'dropped' | 'none pending'> {
  const found = await resets.findPendingReset(tx);
  if (!found) return 'none pending';
  if (found.user_id === null) {
    await resets.removeReset(tx, found.id);
    return 'dropped';
  }
  // Locks the user, so that two workers do not both count the mails of the last hour. The user is locked first, in the same order
  // as by changes of an account.
  const user = await lockUser(tx, found.user_id);
  const waiting = await resets.lockPendingReset(tx, found.id);
  if (!waiting) return 'dropped';
  const next = waiting.tries === 0 ? waiting : await resets.startRetry(tx, waiting);
  const token = createToken();
  if (await resets.assignToken(tx, next, hashToken(token))) {
    return { resetId: next.id, tries: next.tries + 1, userId: user.id, to: user.email, token };
  }
  await resets.endReset(tx, next.id);
  return 'dropped';
}

async function send(
  db: Db,
  { mail, publicUrl, log }: ResetMail,
  message: ResetMessage,
  signal: AbortSignal,
): Promise<void> {
  const { resetId, tries, to } = message;
  try {
    const messageId = `<password-reset-${resetId}-${tries}@${new URL(publicUrl).hostname}>`;
    const text = textOf(publicUrl, message);
    await mail.send({ to: [to], subject, text, messageId, headers: {}, confidential: true, signal });
  } catch (error) {
    if (signal.aborted) return resets.retryLater(db, resetId, 0);
    const why = error instanceof Error ? error.message.replaceAll(to, '(e-mail)') : String(error);
    log.warn({ user_id: message.userId, why }, 'failed to send a password reset link');
    return error instanceof OutgoingRefused
      ? resets.endReset(db, resetId)
      : resets.retryLater(db, resetId, tries * secondsBetweenAttempts);
  }
  await inTransaction(db, (tx) => recordSent(tx, message));
}

const secondsBetweenAttempts = 10;

async function recordSent(tx: Tx, { resetId, userId }: ResetMessage): Promise<void> {
  await resets.markSent(tx, resetId);
  const author = { kind: 'engine', id: null, requestId: null, operation: 'sendPasswordReset' } as const;
  const after = { password_reset: 'sent' };
  await recordChange(tx, author, { objectKind: 'user', objectId: userId, before: null, after });
}

const subject = 'Reset your Milepost password';

/** Contains nothing that the requester typed. */
const textOf = (publicUrl: string, { token }: ResetMessage): string =>
  [
    `A password reset was requested for your account at ${publicUrl}`,
    '',
    'To choose a new password, open this link within 30 minutes. It works once:',
    '',
    `${publicUrl}/reset-password#${token}`,
    '',
    'If you did not request this, ignore this e-mail. Your password has not changed.',
    '',
  ].join('\n');
