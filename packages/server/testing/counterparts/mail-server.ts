/** A mail server that accepts all mail, except for recipients whose names request a failure. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Names in lower case, values unfolded. */
  headers: Record<string, string>;
  body: string;
}

/** The body as a mail program shows it, without the encoding of long lines and special characters. */
export const textOf = ({ body }: ReceivedMail): string =>
  body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The token in the link of a password reset mail. */
export const resetTokenIn = (mail: ReceivedMail): string => /#([\w-]{43})\s/.exec(textOf(mail))?.[1] ?? '';

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

/** `refused...` fails permanently, `later...` fails temporarily, and `hang...` gets no response. */
function respondToRecipient(address: string, answer: (error?: Error | null) => void): void {
  if (address.startsWith('refused')) answer(refusal(550, 'No such user'));
  else if (address.startsWith('later')) answer(refusal(451, 'Try again later'));
  else if (!address.startsWith('hang')) answer();
}

/** Mail to `halfway...` is stored, but the sender gets a temporary failure. */
const isHalfway = (to: readonly { address: string }[]) => to.some(({ address }) => address.startsWith('halfway'));

/** With `tls`, the server offers STARTTLS with an untrusted certificate. */
export async function startMailServer({ tls = false, password: right = 'right' } = {}) {
  const received: ReceivedMail[] = [];
  const rcpt: string[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    onAuth: ({ username = '', password }, _session, answer) => {
      logins.push(username);
      answer(password === right ? null : new Error('Wrong password'), { user: username });
    },
    onRcptTo: ({ address }, _session, answer) => {
      rcpt.push(address);
      respondToRecipient(address, answer);
    },
    onData: (stream, { envelope }, answer) => {
      const { mailFrom, rcptTo } = envelope;
      void store(
        stream,
        received,
        mailFrom ? mailFrom.address : '',
        rcptTo.map(({ address }) => address),
      ).then(() => answer(isHalfway(rcptTo) ? refusal(451, 'Try again later') : null));
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    /** All recipients so far, including rejected ones. */
    rcpt,
    logins,
    open: () => server.connections.size,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(resolve);
      }),
  };
}

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>;

async function store(
  stream: SMTPServerDataStream,
  received: ReceivedMail[],
  from: string,
  to: string[],
): Promise<void> {
  const [head = '', ...rest] = (await text(stream)).split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]);
  received.push({
    from,
    to,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: rest.join('\r\n\r\n'),
  });
}
