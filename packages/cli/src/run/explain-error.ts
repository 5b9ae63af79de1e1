/** Turns any error of a command into a failure: what is wrong, then what to do. */
import { ProblemError } from '@milepost/api/client';
import { Failure, type ExitReason } from './failure.ts';

export function explainError(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof ProblemError) return explainProblem(error);
  const code = codeOf(error);
  if (code === 'ENOSPC') return new Failure('failed', 'No space is left for the output. It is incomplete.', freeSpace);
  if (isCut(error, code))
    return new Failure('unreachable', `Cannot reach the server: ${reasonOf(error)}.`, checkServer);
  return new Failure('failed', error instanceof Error ? error.message : String(error));
}

const freeSpace = 'Free some space, or write to another folder, and run the command again.';
const checkServer =
  'Check the address with `milepost context list`, and that the server is running. A change may have been saved: read it before you repeat it.';
const signIn = 'Sign in with `milepost login`, or set MILEPOST_TOKEN.';

const reasons: Readonly<Record<number, ExitReason>> = {
  401: 'notSignedIn',
  404: 'notFound',
  409: 'conflict',
  412: 'conflict',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
};

function explainProblem({ status, problem, message, headers }: ProblemError): Failure {
  const lines = (problem?.errors ?? [])
    .filter(({ detail }) => !message.includes(detail))
    // The detail has the suggestion, and begins with the line if the error is in a file.
    .map(({ pointer, detail, line }) => [line === undefined ? pointer : undefined, detail].filter(Boolean).join(': '));
  const warnings = (problem?.warnings ?? []).map(
    (warning) => `Warning${warning.line === null ? '' : ` in line ${warning.line}`}: ${warning.message}`,
  );
  return new Failure(
    reasons[status] ?? 'failed',
    [message, ...[...lines, ...warnings].map((line) => `  ${line}`)].join('\n'),
    problem?.code === 'wrong_credentials' ? undefined : remedyOf(status, headers, problem?.request_id),
  );
}

function remedyOf(status: number, headers: Headers, requestId: string | undefined): string | undefined {
  if (status === 401) return signIn;
  if (status === 502 || status === 503 || status === 504) {
    const seconds = headers.get('retry-after');
    return `Try again${seconds === null ? ' later' : ` in ${seconds} s`}. If it persists, ask the operator of the server.`;
  }
  return status >= 500
    ? `Ask the operator of the server, with the request id ${requestId ?? 'in the log'}.`
    : undefined;
}

const codeOf = (error: unknown): string | undefined => {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') return one.code;
  }
  return undefined;
};

/** fetch throws a TypeError without a code if a response ends too early. */
const isCut = (error: unknown, code: string | undefined): boolean =>
  (code !== undefined &&
    /^(?:E(?:CONN|HOST|NET|TIMEDOUT|AI_|PIPE)|UND_ERR|CERT_|DEPTH_|SELF_|UNABLE_|ERR_(?:TLS|SSL))/.test(code)) ||
  (error instanceof TypeError && /fetch failed|terminated/.test(error.message));

const cut = 'the connection was cut';
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: cut,
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_SOCKET: cut,
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
};

/** `fetch` describes a cut response in several ways. */
function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : words[code];
  if (known !== undefined || !(error instanceof Error) || error.message.startsWith('terminated')) return known ?? cut;
  return error.cause instanceof Error ? error.cause.message : cut;
}
