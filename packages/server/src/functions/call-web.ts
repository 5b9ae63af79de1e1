/**
 * One request of a callback: marked with the execution and the attempt, so that its receiver can drop repeats, and told
 * in the log. What may go well later is thrown as a passing failure; every other answer is for the function to judge.
 */
import type { Outgoing, OutgoingAnswer, OutgoingRequest } from '../outgoing/create-outgoing.ts';
import { PassingFailure, type Run } from './callback-function.ts';
import { callbackFailure } from './callback-failure.ts';

export interface Answer {
  status: number;
  headers: OutgoingAnswer['headers'];
  text: string;
  /** Only the beginning of the answer is kept. */
  cut: boolean;
}

type Request = Pick<OutgoingRequest, 'url' | 'method' | 'headers' | 'body'>;

export async function callWeb(
  outgoing: Outgoing,
  run: Run,
  request: Request,
  isExpected: (status: number) => boolean,
): Promise<Answer> {
  const what = `${request.method} ${withoutQuery(request.url)}`;
  const answer = await answerTo(outgoing, run, request, what);
  if (!isExpected(answer.status) && mayPass(answer.status)) {
    throw new PassingFailure(`${what} was answered with ${answer.status}${beginning(answer.text)}`);
  }
  if (answer.cut) run.log(`${what}: the answer is longer than 1 MiB; only its beginning is kept`);
  return answer;
}

async function answerTo(outgoing: Outgoing, run: Run, request: Request, what: string): Promise<Answer> {
  const start = performance.now();
  const { execution, signal } = run;
  const marks = { 'x-milepost-execution': String(execution.id), 'x-milepost-attempt': String(execution.attempt) };
  try {
    const { status, headers, body, cut } = await outgoing.request({
      ...request,
      headers: { ...request.headers, ...marks },
      signal,
    });
    run.log(`${what}: ${status} in ${Math.round(performance.now() - start)} ms`);
    return { status, headers, text: decoded(body, String(headers['content-type'] ?? '')), cut };
  } catch (error) {
    throw callbackFailure(error, run);
  }
}

/** Too many requests, or a server that is broken or overloaded. */
const mayPass = (status: number) => status === 429 || status >= 500;

const beginning = (text: string) => (text === '' ? '.' : `: ${text.slice(0, 200).replaceAll(/\s+/g, ' ')}`);

/** Queries carry keys and are nobody's business. */
const withoutQuery = (url: string) => url.split(/[?#]/, 1)[0] ?? '';

function decoded(body: Buffer, contentType: string): string {
  const [, charset] = /;\s*charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString();
  }
}
