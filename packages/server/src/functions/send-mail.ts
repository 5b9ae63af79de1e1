/** `send_mail`: sends mail through the mail server that the operator configured. */
import { sendMailArguments } from '@milepost/definitions';
import type { Mail } from '../outgoing/create-mail.ts';
import { callbackFailure } from './callback-failure.ts';
import { PermanentFailure, type CallbackFunction, type Run } from './callback-function.ts';
import { argumentsReader } from './read-arguments.ts';

const readArguments = argumentsReader(sendMailArguments);

export const createSendMail =
  (mail: Mail | undefined): CallbackFunction =>
  async (run) => {
    const given = readArguments(run.arguments);
    if (!mail) throw new PermanentFailure('No mail server is configured. The operator sets it with MILEPOST_SMTP_URL.');
    const to = [given.to ?? mail.to].flat().filter(Boolean);
    if (to.length === 0) {
      throw new PermanentFailure('No recipient. Set the argument `to`, or ask the operator to set MILEPOST_MAIL_TO.');
    }
    const [subject, text] = [fillIn(given.subject, run), fillIn(given.body, run)];
    await send(mail, run, { to, subject, text });
    run.log(`Sent e-mail to ${to.join(', ')}`);
    return { result: 'success', values: { sender: mail.from, recipient: to.join(', '), subject, body: text } };
  };

/** Replaces `{experiment}` and the other legacy placeholders. Unknown words in braces are left unchanged. */
function fillIn(text: string, { experiment, action }: Run): string {
  const known = new Map([
    ['experiment', experiment.label],
    ['experiment_url', experiment.webUri],
    ['experiment_api_url', experiment.apiUri],
    ['action_url', action.webUri],
    ['action_api_url', action.apiUri],
  ]);
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known.get(name) ?? whole);
}

async function send(mail: Mail, run: Run, message: { to: string[]; subject: string; text: string }): Promise<void> {
  const { id, attempt, apiUri } = run.execution;
  const headers = { 'X-Milepost-Execution': String(id), 'X-Milepost-Attempt': String(attempt) };
  const messageId = `<callback-execution-${id}@${new URL(apiUri).hostname}>`;
  try {
    await mail.send({ ...message, messageId, headers, confidential: false, signal: run.signal });
  } catch (error) {
    throw callbackFailure(error, run, mail.host);
  }
}
