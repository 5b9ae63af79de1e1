/** Tests the function `send_mail` with a real mail server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRun, testSecret } from '../../testing/callback-run.ts';
import { startMailServer, type TestMailServer } from '../../testing/counterparts/mail-server.ts';
import { createMail } from '../outgoing/create-mail.ts';
import { createOutgoing } from '../outgoing/create-outgoing.ts';
import { PermanentFailure, TemporaryFailure } from './callback-function.ts';
import { createFunctions } from './index.ts';

let server: TestMailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

const noIntegrations = { outgoing: createOutgoing({ allow: [] }), commands: new Map(), taskFolder: undefined };
const call = (given: Record<string, unknown>, to = 'team@example.org') => {
  const smtp = { secure: false, host: '127.0.0.1', port: server.port, user: '', password: '' };
  const mail = createMail({ server: smtp, from: 'milepost@example.org', to });
  const made = makeRun(given);
  return { ...made, ended: createFunctions({ ...noIntegrations, mail }).send_mail(made.run) };
};
const failureOf = (ended: Promise<unknown>) => ended.catch((error: unknown) => error);
const short = { subject: 'One', body: 'Look.' };

describe('send_mail', () => {
  it('sends mail to the configured address with placeholders filled in', async () => {
    const subject = 'About {experiment}';
    const body = 'See {experiment_url} ({experiment_api_url}), {action_url}, {action_api_url}, {other}, {}.';
    const { lines, ended } = call({ subject, body });
    const filled =
      'See https://milepost.example.org/experiments/3 (https://milepost.example.org/api/v2/experiments/3), ' +
      'https://milepost.example.org/actions/5, https://milepost.example.org/api/v2/actions/5, {other}, {}.';
    expect(await ended).toEqual({
      result: 'success',
      values: { sender: 'milepost@example.org', recipient: 'team@example.org', subject: 'About exp_3', body: filled },
    });
    expect(server.received.at(-1)).toMatchObject({
      from: 'milepost@example.org',
      to: ['team@example.org'],
      headers: {
        subject: 'About exp_3',
        'message-id': '<callback-execution-7@milepost.example.org>',
        'x-milepost-execution': '7',
        'x-milepost-attempt': '2',
      },
    });
    expect(server.received.at(-1)?.body.replaceAll('=\r\n', '').trim()).toBe(filled);
    expect(lines).toEqual(['Sent e-mail to team@example.org']);
  });

  it('sends mail to the addresses in `to`', async () => {
    const { values } = await call({ ...short, to: ['ann@example.org', 'bob@example.org'] }).ended;
    expect(values['recipient']).toBe('ann@example.org, bob@example.org');
    expect(server.received.at(-1)?.to).toEqual(['ann@example.org', 'bob@example.org']);
  });

  it('can send the secret but does not store it', async () => {
    const { ended } = call({ ...short, body: `Report with ${testSecret}` });
    expect(JSON.stringify(await ended)).not.toContain(testSecret);
    expect(server.received.at(-1)?.body).toContain(testSecret);
  });
});

describe('a run of send_mail', () => {
  it.each([
    [{ body: 'x' }, 'subject is required.'],
    [{ subject: 'x' }, 'body is required.'],
    [{ ...short, subject: 'One\r\nBcc: eve@example.org' }, 'subject must be one line.'],
    [{ ...short, subject: 'One\nBcc: eve@example.org' }, 'subject must be one line.'],
    [{ ...short, to: 'nobody' }, 'to must be an e-mail address'],
    [{ ...short, to: 'a@b.example, c@d.example' }, 'to must be an e-mail address'],
    [{ ...short, to: 'Ann <a@b.example>' }, 'to must be an e-mail address'],
    [{ ...short, to: 'a@b.example\r\nBcc: eve@example.org' }, 'to must be an e-mail address'],
    [{ ...short, to: 'a@b.example>\r\nRCPT TO:<eve@example.org' }, 'to must be an e-mail address'],
    [{ ...short, to: [] }, 'to must not be empty.'],
    [{ ...short, cc: 'a@b.example' }, 'cc is not a known field'],
    [{ ...short, to: 'refused@example.org' }, 'No such user'],
  ])('fails permanently with the arguments %j', async (given, why) => {
    const before = server.received.length;
    const failure = await failureOf(call(given).ended);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain(why);
    expect(server.received).toHaveLength(before);
  });

  it('fails permanently without a recipient if MILEPOST_MAIL_TO is not set', async () => {
    const failure = await failureOf(call(short, '').ended);
    expect(failure).toBeInstanceOf(PermanentFailure);
    expect((failure as Error).message).toContain('MILEPOST_MAIL_TO');
  });

  it('fails permanently if MILEPOST_SMTP_URL is not set', async () => {
    const { send_mail: sendMail } = createFunctions({ ...noIntegrations, mail: undefined });
    await expect(sendMail(makeRun(short).run)).rejects.toThrow('MILEPOST_SMTP_URL');
  });

  it('fails temporarily after a temporary error of the mail server', async () => {
    const failure = await failureOf(call({ ...short, to: 'later@example.org' }).ended);
    expect(failure).toBeInstanceOf(TemporaryFailure);
    expect(failure).toMatchObject({ host: '127.0.0.1' });
  });
});

describe('a cancelled run', () => {
  it('throws the reason and closes its connection', async () => {
    const seen = server.rcpt.length;
    const { ended, abort } = call({ ...short, to: 'hang@example.org' });
    const failure = failureOf(ended);
    await expect.poll(() => server.rcpt.length, { interval: 5 }).toBe(seen + 1);
    const reason = new Error('cancelled');
    abort(reason);
    expect(await failure).toBe(reason);
    await expect.poll(server.open, { interval: 10 }).toBe(0);
  });
});
