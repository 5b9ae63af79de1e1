/** Sends mail through a real server. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type TestMailServer } from '../../testing/counterparts/mail-server.ts';
import type { MailServer } from '../config/integrations.ts';
import { createMail, smtpOptions, type MailMessage } from './create-mail.ts';
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
const message = (more: Partial<MailMessage> = {}): MailMessage => ({
  to: ['ann@example.org'],
  subject: 'One',
  text: 'Look at it.',
  messageId: '<execution-7@milepost.example.org>',
  headers: { 'X-Milepost-Execution': '7' },
  confidential: false,
  signal: never,
  ...more,
});
const send = (more: Partial<MailMessage> = {}) => mailTo(here()).send(message(more));

describe('a message', () => {
  it('arrives with its subject, text and headers', async () => {
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
    'with the subject %j gets no additional header or recipient (V1.3.11)',
    async (subject) => {
      await send({ subject });
      const { to, headers, body } = server.received.at(-1) ?? { to: [], headers: {}, body: '' };
      expect(to).toEqual(['ann@example.org']);
      expect(headers).not.toHaveProperty('bcc');
      expect(body).toBe('Look at it.\r\n');
    },
  );

  it('does not read a file that its text names', async () => {
    await send({ text: '/etc/passwd' });
    expect(server.received.at(-1)?.body).toBe('/etc/passwd\r\n');
  });
});

const failureOf = (sent: Promise<void>) =>
  sent.then(
    () => new Error('the message was sent'),
    (error: Error) => error,
  );

describe('a message that is not delivered', () => {
  it('fails permanently for an unknown recipient', async () => {
    const failure = await failureOf(send({ to: ['refused@example.org'] }));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).toContain('No such user');
  });

  it('fails permanently if one of two recipients is rejected, and names that recipient', async () => {
    const failure = await failureOf(send({ to: ['ann@example.org', 'refused@example.org'] }));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).toBe('The e-mail to refused@example.org was rejected.');
  });

  it('fails temporarily if the server asks to try later', async () => {
    const failure = await failureOf(send({ to: ['later@example.org'] }));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toContain('Try again later');
  });

  it('fails temporarily if the connection is refused', async () => {
    const stopped = await startMailServer();
    await stopped.stop();
    const failure = await failureOf(mailTo(here({ port: stopped.port })).send(message()));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toContain(`127.0.0.1:${stopped.port} did not accept the e-mail: connection refused`);
  });

  it('fails temporarily if the server does not respond', async () => {
    const silent = createServer((socket) => socket.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const limits = { ...outgoingLimits, totalMs: 100 };
    const mail = createMail({ server: here({ port }), from: 'a@example.org', to: '', limits });
    const failure = await failureOf(mail.send(message()));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toContain('the server did not respond in time');
    await new Promise((resolve) => silent.close(resolve));
  });

  it('fails with the reason of the abort signal and closes its connection', async () => {
    const controller = new AbortController();
    const reason = new Error('aborted');
    const seen = server.rcpt.length;
    const failure = failureOf(send({ to: ['hang@example.org'], signal: controller.signal }));
    await expect.poll(() => server.rcpt.length, { interval: 5 }).toBe(seen + 1);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });
});

describe('signing in to the mail server', () => {
  it('uses the configured user and password', async () => {
    await mailTo(here({ user: 'ann', password: 'right' })).send(message());
    expect(server.logins.at(-1)).toBe('ann');
  });

  it('fails permanently with a wrong password, and does not reveal it', async () => {
    const failure = await failureOf(mailTo(here({ user: 'ann', password: 's3cret' })).send(message()));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).not.toContain('s3cret');
  });

  it('requires TLS if the server is on another machine', () => {
    const usual = message();
    expect(smtpOptions(here({ host: 'mail.example.org', user: 'ann' }), usual).requireTLS).toBe(true);
    expect(smtpOptions(here({ host: 'mail.example.org' }), usual).requireTLS).toBe(false);
    expect(smtpOptions(here({ user: 'ann' }), usual).requireTLS).toBe(false);
  });
});

describe('TLS', () => {
  it('fails with an untrusted certificate, and nothing is sent without TLS (V12.3.2)', async () => {
    const untrusted = await startMailServer({ tls: true });
    const failure = await failureOf(mailTo(here({ port: untrusted.port })).send(message()));
    expect(failure).toBeInstanceOf(OutgoingFailed);
    expect(failure.message).toMatch(/did not accept the e-mail: .*certificate/);
    expect(untrusted.received).toEqual([]);
    await untrusted.stop();
  });

  it('is required for a confidential message, unless the server is on this machine (V6.4.3)', async () => {
    // Connects to this machine as well, but is not recognised as loopback.
    const relay = mailTo(here({ host: '0.0.0.0' }));
    const taken = server.received.length;
    const failure = await failureOf(relay.send(message({ confidential: true })));
    expect(failure).toBeInstanceOf(OutgoingRefused);
    expect(failure.message).toContain('STARTTLS');
    expect(server.received).toHaveLength(taken);
    await relay.send(message());
    await send({ confidential: true });
    expect(server.received).toHaveLength(taken + 2);
  });
});
