/** A mail server that takes what it gets, but for recipients whose names say otherwise. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The names in lower case, values unfolded. */
  headers: Record<string, string>;
  body: string;
}

/** As a program that reads mail shows it: lines that were folded for the way are whole again. */
export const textOf = ({ body }: ReceivedMail): string =>
  body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Of a letter with a link to a new password. */
export const resetTokenIn = (letter: ReceivedMail): string => /#([\w-]{43})\s/.exec(textOf(letter))?.[1] ?? '';

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

/** `refused...` for good, `later...` for now, `hang...` is not answered at all. */
function receive(address: string, answer: (error?: Error | null) => void): void {
  if (address.startsWith('refused')) answer(refusal(550, 'No such person'));
  else if (address.startsWith('later')) answer(refusal(451, 'Come back later'));
  else if (!address.startsWith('hang')) answer();
}

/** To `halfway...`: a letter that is kept, and its sender does not know. */
const cameHalfway = (to: readonly { address: string }[]) => to.some(({ address }) => address.startsWith('halfway'));

/** Without TLS unless `tls` asks for it; its certificate is one that nobody trusts. */
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
      receive(address, answer);
    },
    onData: (stream, { envelope }, answer) => {
      const { mailFrom, rcptTo } = envelope;
      void keep(
        stream,
        received,
        mailFrom ? mailFrom.address : '',
        rcptTo.map(({ address }) => address),
      ).then(() => answer(cameHalfway(rcptTo) ? refusal(451, 'Come back later') : null));
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    /** Everybody whom a letter was offered for. */
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

async function keep(stream: SMTPServerDataStream, received: ReceivedMail[], from: string, to: string[]): Promise<void> {
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
