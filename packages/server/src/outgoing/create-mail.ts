/**
 * The only way to send mail: through the one server that the operator names. The connection is opened here, so that it
 * ends when the run is called off; nodemailer speaks on it and never fetches files or addresses for a message.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { isLoopback } from '../config/loopback.ts';
import type { MailServer } from '../config/outside.ts';
import { outgoingLimits } from './create-outgoing.ts';
import { failureWords } from './failure-words.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';

export interface Letter {
  to: readonly string[];
  subject: string;
  text: string;
  /** The same for a letter that is sent again, so that it can be dropped. */
  messageId: string;
  headers: Readonly<Record<string, string>>;
  /** Whoever reads it on its way could take over an account: it is sent over TLS, or not at all. */
  confidential: boolean;
  signal: AbortSignal;
}

export interface Mail {
  from: string;
  /** Who gets letters that name nobody; empty for none. */
  to: string;
  /** Throws OutgoingRefused, OutgoingFailed, or the reason of the signal. */
  send: (letter: Letter) => Promise<void>;
}

interface Options {
  server: MailServer;
  from: string;
  to: string;
  limits?: typeof outgoingLimits;
}

export const createMail = ({ server, from, to, limits = outgoingLimits }: Options): Mail => ({
  from,
  to,
  send: async (letter) => {
    letter.signal.throwIfAborted();
    const timeout = AbortSignal.timeout(limits.totalMs);
    try {
      const connection = await open(server, limits.connectMs, AbortSignal.any([letter.signal, timeout]));
      try {
        await deliver({ ...smtpOptions(server, letter), connection }, from, letter);
      } finally {
        connection.destroy();
      }
    } catch (error) {
      letter.signal.throwIfAborted();
      throw classified(server, timeout.aborted ? new Error('it took too long') : error);
    }
  },
});

async function open({ host, port }: MailServer, withinMs: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, signal });
  socket.setTimeout(withinMs, () => socket.destroy(new Error('there was no connection in time')));
  await once(socket, 'connect');
  return socket.setTimeout(0);
}

/**
 * Neither a password nor a confidential letter is sent in the clear, but for a server on this machine. TLS that is begun where it
 * is offered is no TLS: whoever stands in between leaves the offer out.
 */
export const smtpOptions = (
  { secure, host, port, user, password }: MailServer,
  { confidential }: Pick<Letter, 'confidential'>,
): SMTPTransportOptions => ({
  host,
  port,
  secure,
  requireTLS: !secure && (confidential || user !== '') && !isLoopback(host),
  ...(user !== '' && { auth: { user, pass: password } }),
  disableFileAccess: true,
  disableUrlAccess: true,
});

async function deliver(options: SMTPTransportOptions, from: string, letter: Letter): Promise<void> {
  const { to, subject, text, messageId, headers } = letter;
  const { rejected } = await createTransport(options).sendMail({
    from: { name: '', address: from },
    to: to.map((address) => ({ name: '', address })),
    envelope: { from, to: [...to] },
    subject,
    text,
    messageId,
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  });
  if (rejected.length > 0) throw new OutgoingRefused(`The mail was not taken for ${rejected.join(', ')}.`);
}

/** A server that says 5xx would say so again; what is said with 4xx, or not at all, may change. */
function classified({ host, port }: MailServer, error: unknown): Error {
  if (error instanceof OutgoingRefused) return error;
  const { responseCode = 0 } = error as { responseCode?: number };
  const what = `The mail server ${host}:${port}`;
  if (responseCode >= 500)
    return new OutgoingRefused(`${what} refused the mail: ${failureWords(error)}.`, { cause: error });
  return new OutgoingFailed(`${what} did not take the mail: ${failureWords(error)}.`, { cause: error });
}
