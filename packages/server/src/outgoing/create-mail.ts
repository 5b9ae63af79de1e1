/**
 * Sends mail through the server that the operator configures. The connection is opened here, so that it ends when the run is
 * cancelled. nodemailer uses it and never reads files or URLs for a message.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { isLoopback } from '../config/loopback.ts';
import type { MailServer } from '../config/integrations.ts';
import { outgoingLimits } from './create-outgoing.ts';
import { describeFailure } from './describe-failure.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';

export interface MailMessage {
  to: readonly string[];
  subject: string;
  text: string;
  /** The same if a message is sent again, so that mail servers can drop the duplicate. */
  messageId: string;
  headers: Readonly<Record<string, string>>;
  /** Set for messages that could be used to take over an account: they are sent over TLS or not at all. */
  confidential: boolean;
  signal: AbortSignal;
}

export interface Mail {
  host: string;
  from: string;
  /** The default recipient; empty for none. */
  to: string;
  /** Throws OutgoingRefused, OutgoingFailed, or the reason of the signal. */
  send: (message: MailMessage) => Promise<void>;
}

interface Options {
  server: MailServer;
  from: string;
  to: string;
  limits?: typeof outgoingLimits;
}

export const createMail = ({ server, from, to, limits = outgoingLimits }: Options): Mail => ({
  host: server.host,
  from,
  to,
  send: async (message) => {
    message.signal.throwIfAborted();
    const timeout = AbortSignal.timeout(limits.totalMs);
    try {
      const connection = await open(server, limits.connectMs, AbortSignal.any([message.signal, timeout]));
      try {
        await deliver({ ...smtpOptions(server, message), connection }, from, message);
      } finally {
        connection.destroy();
      }
    } catch (error) {
      message.signal.throwIfAborted();
      throw classified(server, timeout.aborted ? new Error('the server did not respond in time') : error);
    }
  },
});

async function open({ host, port }: MailServer, withinMs: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, signal });
  socket.setTimeout(withinMs, () => socket.destroy(new Error('the connection timed out')));
  await once(socket, 'connect');
  return socket.setTimeout(0);
}

/**
 * Passwords and confidential messages are never sent unencrypted, except to a server on this machine. Opportunistic TLS is not
 * enough, because an attacker on the way can remove the offer.
 */
export const smtpOptions = (
  { secure, host, port, user, password }: MailServer,
  { confidential }: Pick<MailMessage, 'confidential'>,
): SMTPTransportOptions => ({
  host,
  port,
  secure,
  requireTLS: !secure && (confidential || user !== '') && !isLoopback(host),
  ...(user !== '' && { auth: { user, pass: password } }),
  disableFileAccess: true,
  disableUrlAccess: true,
});

async function deliver(options: SMTPTransportOptions, from: string, message: MailMessage): Promise<void> {
  const { to, subject, text, messageId, headers } = message;
  const { rejected } = await createTransport(options).sendMail({
    from: { name: '', address: from },
    to: to.map((address) => ({ name: '', address })),
    envelope: { from, to: [...to] },
    subject,
    text,
    messageId,
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
  });
  if (rejected.length > 0) throw new OutgoingRefused(`The e-mail to ${rejected.join(', ')} was rejected.`);
}

/** A 5xx reply is permanent. A 4xx reply, or none, may be temporary. */
function classified({ host, port }: MailServer, error: unknown): Error {
  if (error instanceof OutgoingRefused) return error;
  const { responseCode = 0 } = error as { responseCode?: number };
  const subject = `The mail server ${host}:${port}`;
  if (responseCode >= 500)
    return new OutgoingRefused(`${subject} rejected the e-mail: ${describeFailure(error)}.`, { cause: error });
  return new OutgoingFailed(`${subject} did not accept the e-mail: ${describeFailure(error)}.`, { cause: error });
}
