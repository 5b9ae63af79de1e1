/** Turns errors into messages for users. */
import { ProblemError } from '@milepost/api';
import { Unreachable } from './unreachable.ts';

export interface ProblemWords {
  kind: 'forbidden' | 'missing' | 'refused' | 'broken' | 'unreachable';
  title: string;
  detail: string;
  /** The id of the request in the server's log. */
  requestId?: string;
}

const unreachable: ProblemWords = {
  kind: 'unreachable',
  title: 'Cannot reach the server',
  detail: 'Check your connection. The data on this page may be out of date.',
};

function kindOf(status: number): ProblemWords['kind'] {
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  return status < 500 ? 'refused' : 'broken';
}

function wordsOfProblem({ status, problem, message }: ProblemError): ProblemWords {
  const kind = kindOf(status);
  if (!problem) return { kind, title: 'Unexpected response', detail: message };
  const faults = problem.errors.map(({ detail }) => detail).filter((detail) => !problem.detail.includes(detail));
  return {
    kind,
    title: problem.title,
    detail: [problem.detail, ...faults].join(' '),
    requestId: problem.request_id,
  };
}

export function problemWords(error: unknown): ProblemWords {
  if (error instanceof ProblemError) return wordsOfProblem(error);
  if (error instanceof Unreachable) return unreachable;
  return { kind: 'broken', title: 'Something went wrong on this page', detail: String(error) };
}

/** The message in one line. */
export function problemLine(error: unknown): string {
  const { title, detail, requestId } = problemWords(error);
  return `${title}: ${detail}${requestId === undefined ? '' : ` (request ${requestId})`}`;
}
