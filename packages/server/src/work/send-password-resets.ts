/**
 * Letters with a link to a new password. The token is made here, a moment before it is sent, and only its hash is stored; it
 * stands behind the # of the link, which browsers send to nobody. Whoever dies while sending leaves it to another worker, which
 * makes another token; the one before stays good, as its letter may have come.
 */
import type { Logger } from 'pino';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { createToken, hashToken } from '../http/session-cookie.ts';
import type { Mail } from '../outgoing/create-mail.ts';
import { OutgoingRefused } from '../outgoing/outgoing-errors.ts';
import * as resets from '../store/password-resets.ts';
import { recordChange } from '../store/record-change.ts';
import { lockUser } from '../store/users.ts';

export interface ResetMail {
  mail: Mail;
  publicUrl: string;
  log: Logger;
}

interface Letter {
  resetId: number;
  tries: number;
  userId: number;
  to: string;
  token: string;
}

/** All that wait and may be tried now. */
export async function sendPasswordResets(db: Db, by: ResetMail, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await inTransaction(db, prepare);
    if (next === 'nothing waits') return;
    if (next !== 'dropped') await send(db, by, next, signal);
  }
}

async function prepare(tx: Tx): Promise<Letter | 'dropped' | 'nothing waits'> {
  const found = await resets.findWaiting(tx);
  if (!found) return 'nothing waits';
  if (found.user_id === null) {
    await resets.removeReset(tx, found.id);
    return 'dropped';
  }
  // Held, so that two workers do not both count the letters of the last hour; and first, as whoever changes an account holds it
  // before its links.
  const user = await lockUser(tx, found.user_id);
  const waiting = await resets.holdWaiting(tx, found.id);
  if (!waiting) return 'dropped';
  const next = waiting.tries === 0 ? waiting : await resets.beginAnotherTry(tx, waiting);
  const token = createToken();
  if (await resets.giveToken(tx, next, hashToken(token))) {
    return { resetId: next.id, tries: next.tries + 1, userId: user.id, to: user.email, token };
  }
  await resets.endReset(tx, next.id);
  return 'dropped';
}

async function send(db: Db, { mail, publicUrl, log }: ResetMail, letter: Letter, signal: AbortSignal): Promise<void> {
  const { resetId, tries, to } = letter;
  try {
    const messageId = `<password-reset-${resetId}-${tries}@${new URL(publicUrl).hostname}>`;
    const text = textOf(publicUrl, letter);
    await mail.send({ to: [to], subject, text, messageId, headers: {}, confidential: true, signal });
  } catch (error) {
    if (signal.aborted) return resets.tryLater(db, resetId, 0);
    const why = error instanceof Error ? error.message.replaceAll(to, '(its e-mail)') : String(error);
    log.warn({ user_id: letter.userId, why }, 'a link to a new password was not sent');
    return error instanceof OutgoingRefused
      ? resets.endReset(db, resetId)
      : resets.tryLater(db, resetId, tries * secondsBetweenTries);
  }
  await inTransaction(db, (tx) => recordSent(tx, letter));
}

const secondsBetweenTries = 10;

async function recordSent(tx: Tx, { resetId, userId }: Letter): Promise<void> {
  await resets.noteSent(tx, resetId);
  const author = { kind: 'engine', id: null, requestId: null, operation: 'sendPasswordReset' } as const;
  const after = { password_reset: 'sent' };
  await recordChange(tx, author, { objectKind: 'user', objectId: userId, before: null, after });
}

const subject = 'A new password for Milepost';

/** Nothing in it was typed by whoever asked. */
const textOf = (publicUrl: string, { token }: Letter): string =>
  [
    `Somebody asked for a new password for your account at ${publicUrl}`,
    '',
    'To choose one, open this link. It works once, within 30 minutes:',
    '',
    `${publicUrl}/reset-password#${token}`,
    '',
    'If it was not you, you need not do anything: your password is still the same.',
    '',
  ].join('\n');
