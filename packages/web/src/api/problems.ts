/** The errors of requests, and how pages describe them. */
import { ProblemError } from '@milepost/api';

/** The server did not respond. */
export class Unreachable extends Error {}

/** Replaces the TypeError that fetch throws without a response, which looks like a bug of the page. */
export const detectUnreachable =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      throw error instanceof TypeError ? new Unreachable(error.message, { cause: error }) : error;
    }
  };

export interface ProblemText {
  kind: 'forbidden' | 'missing' | 'refused' | 'broken' | 'unreachable';
  title: string;
  detail: string;
  /** The id of the request in the server's log. */
  requestId?: string;
}

const unreachable: ProblemText = {
  kind: 'unreachable',
  title: 'Cannot reach the server',
  detail: 'Check your connection. The data on this page may be out of date.',
};

function kindOf(status: number): ProblemText['kind'] {
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  return status < 500 ? 'refused' : 'broken';
}

/** Whether the server rejected only filters, for example because the URL names a state that no longer exists. */
export const isFilterError = (error: unknown): boolean =>
  error instanceof ProblemError &&
  error.status === 400 &&
  error.problem !== undefined &&
  error.problem.errors.length > 0 &&
  error.problem.errors.every(({ pointer }) => pointer.startsWith('?'));

function textOfProblem(error: ProblemError): ProblemText {
  const { status, problem, message } = error;
  const kind = kindOf(status);
  if (!problem) return { kind, title: 'Unexpected response', detail: message };
  const faults = problem.errors.map(({ detail }) => detail).filter((detail) => !problem.detail.includes(detail));
  return {
    kind,
    title: isFilterError(error) ? 'Invalid filter' : problem.title,
    detail: [problem.detail, ...faults].join(' '),
    requestId: problem.request_id,
  };
}

/** Turns an error into a message for users. */
export function problemText(error: unknown): ProblemText {
  if (error instanceof ProblemError) return textOfProblem(error);
  if (error instanceof Unreachable) return unreachable;
  return { kind: 'broken', title: 'Something went wrong on this page', detail: String(error) };
}

/** The message in one line. */
export function problemLine(error: unknown): string {
  const { title, detail, requestId } = problemText(error);
  return `${title}: ${detail}${requestId === undefined ? '' : ` (request ${requestId})`}`;
}

/** Whether the server rejected the value of this field. */
export const hasFieldError = (error: unknown, pointer: string): boolean =>
  error instanceof ProblemError && error.problem?.errors.some((fault) => fault.pointer === pointer) === true;

/** The text of a fault next to its field, which needs no name: `Is too long.` */
function textAtField(pointer: string, detail: string): string {
  const rest = detail.startsWith(`${pointer} `) ? detail.slice(pointer.length + 1) : detail;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** What the server rejected in each field of the body, by the name of the field. */
export function fieldErrors(error: unknown): ReadonlyMap<string, string> {
  const faults = error instanceof ProblemError ? (error.problem?.errors ?? []) : [];
  return new Map(faults.map(({ pointer, detail }) => [pointer.replace(/^\//, ''), textAtField(pointer, detail)]));
}

/** The error, unless every fault is in one of these fields, which show it themselves. */
export function errorBeyond(error: unknown, fields: readonly string[]): unknown {
  const names = [...fieldErrors(error).keys()];
  return names.length > 0 && names.every((name) => fields.includes(name)) ? null : error;
}
