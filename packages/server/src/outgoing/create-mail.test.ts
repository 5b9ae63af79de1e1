/** Mail through a real server. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type TestMailServer } from '../../testing/counterparts/mail-server.ts';
import type { MailServer } from '../config/outside.ts';
import { createMail, smtpOptions, type Letter } from './create-mail.ts';
import { outgoingLimits } from './create-outgoing.ts';
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts';

let server: TestMailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

const never = new AbortController().signal;
const here = (more: Partial<MailServer> = {}): MailServer => ({
  secure: false,
  host: '127.0.0.1',
  port: server.port,
  user: '',
  password: '',
  ...more,
});
const mailTo = (mailServer: MailServer) => createMail({ server: mailServer, from: 'milepost@example.org', to: '' });
const letter = (more: Partial<Letter> = {}): Letter => ({
  to: ['ann@example.org'],
  subject: 'One',
  text: 'Look at it.',
  messageId: '<execution-7@milepost.example.org>',
  headers: { 'X-Milepost-Execution': '7' },
  confidential: false,
  signal: never,
  ...more,
});
const send = (more: Partial<Letter> = {}) => mailTo(here()).send(letter(more));

describe('a letter', () => {
  it('arrives with its subject, text and marks', async () => {
    await send({ to: ['ann@example.org', 'bob@example.org'], subject: 'Größe', text: 'One line.\n.\nAnother.' });
    expect(server.received.at(-1)).toMatchObject({
      from: 'milepost@example.org',
      to: ['ann@example.org', 'bob@example.org'],
      headers: {
        from: 'milepost@example.org',
        to: 'ann@example.org, bob@example.org',
        subject: '=?UTF-8?Q?Gr=C3=B6=C3=9Fe?=',
        'message-id': '<execution-7@milepost.example.org>',
        'x-milepost-execution': '7',
        'auto-submitted': 'auto-generated',
      },
      body: 'One line.\r\n.\r\nAnother.\r\n',
    });
  });

  it.each(['One\r\nBcc: eve@example.org', 'One\nBcc: eve@example.org', 'One\r\n\r\nAnother body'])(
    'whose subject is %j gets no further header and no further recipient (V1.3.11)',
    async (subject) => {
      await send({ subject });
      const { to, headers, body } = server.received.at(-1) ?? { to: [], headers: {}, body: '' };
      expect(to).toEqual(['ann@example.org']);
      expect(headers).not.toHaveProperty('bcc');
      expect(body).toBe('Look at it.\r\n');
    },
  );

  it('does not fetch what its text names', async () => {
    await send({ text: '/etc/passwd' });
    expect(server.received.at(-1)?.body).toBe('/etc/passwd\r\n');
  });
});

const failureOf = (sent: Promise<void>) =>
  sent.then(
    () => new Error('it was sent'),
    (error: Error) => error,
  );

describe('a letter that does not arrive', () => {
  it('because of a recipient whom nobody knows is refused for good', async () => {
    const failure = await failureOf(send({ to: ['refused@example.org'] }));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).toContain('No such person');
  });

  it('for one of two recipients is refused for good, and names that one', async () => {
    const failure = await failureOf(send({ to: ['ann@example.org', 'refused@example.org'] }));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).toBe('The mail was not taken for refused@example.org.');
  });

  it('because the server wants it later may arrive later', async () => {
    const failure = await failureOf(send({ to: ['later@example.org'] }));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toContain('Come back later');
  });

  it('because nobody listens may arrive later', async () => {
    const gone = await startMailServer();
    await gone.stop();
    const failure = await failureOf(mailTo(here({ port: gone.port })).send(letter()));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toContain(`127.0.0.1:${gone.port} did not take the mail: nobody listens there`);
  });

  it('because the server says nothing may arrive later', async () => {
    const silent = createServer((socket) => socket.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const limits = { ...outgoingLimits, totalMs: 100 };
    const mail = createMail({ server: here({ port }), from: 'a@example.org', to: '', limits });
    const failure = await failureOf(mail.send(letter()));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toContain('it took too long');
    await new Promise((resolve) => silent.close(resolve));
  });

  it('because it was called off ends with that reason, and its connection ends', async () => {
    const controller = new AbortController();
    const reason = new Error('somebody decided');
    const seen = server.rcpt.length;
    const failure = failureOf(send({ to: ['hang@example.org'], signal: controller.signal }));
    await expect.poll(() => server.rcpt.length, { interval: 5 }).toBe(seen + 1);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });
});

describe('signing in', () => {
  it('happens with the user and password of the setting', async () => {
    await mailTo(here({ user: 'ann', password: 'right' })).send(letter());
    expect(server.logins.at(-1)).toBe('ann');
  });

  it('with a wrong password is refused for good, and the password is not told', async () => {
    const failure = await failureOf(mailTo(here({ user: 'ann', password: 's3cret' })).send(letter()));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).not.toContain('s3cret');
  });

  it('asks for TLS where the server is another machine', () => {
    const usual = letter();
    expect(smtpOptions(here({ host: 'mail.example.org', user: 'ann' }), usual).requireTLS).toBe(true);
    expect(smtpOptions(here({ host: 'mail.example.org' }), usual).requireTLS).toBe(false);
    expect(smtpOptions(here({ user: 'ann' }), usual).requireTLS).toBe(false);
  });
});

describe('TLS', () => {
  it('with a certificate that nobody trusts is not used, and nothing is sent without it (V12.3.2)', async () => {
    const untrusted = await startMailServer({ tls: true });
    const failure = await failureOf(mailTo(here({ port: untrusted.port })).send(letter()));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toMatch(/did not take the mail: .*certificate/);
    expect(untrusted.received).toEqual([]);
    await untrusted.stop();
  });

  it('must be there for a confidential letter, unless the server is on this machine (V6.4.3)', async () => {
    // Leads here as well, but is no name of this machine.
    const relay = mailTo(here({ host: '0.0.0.0' }));
    const taken = server.received.length;
    const failure = await failureOf(relay.send(letter({ confidential: true })));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).toContain('STARTTLS');
    expect(server.received).toHaveLength(taken);
    await relay.send(letter());
    await send({ confidential: true });
    expect(server.received).toHaveLength(taken + 2);
  });
});
