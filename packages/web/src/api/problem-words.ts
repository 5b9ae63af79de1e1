/** The one place where an error becomes words for people. */
import { ProblemError } from '@milepost/api';
import { Unreachable } from './unreachable.ts';

export interface ProblemWords {
  kind: 'forbidden' | 'missing' | 'refused' | 'broken' | 'unreachable';
  title: string;
  detail: string;
  /** What to name when asking for help: the server's log has the same id. */
  requestId?: string;
}

const unreachable: ProblemWords = {
  kind: 'unreachable',
  title: 'The server cannot be reached',
  detail: 'Check the connection. What you see may be out of date.',
};

function kindOf(status: number): ProblemWords['kind'] {
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  return status < 500 ? 'refused' : 'broken';
}

function wordsOfProblem({ status, problem, message }: ProblemError): ProblemWords {
  const kind = kindOf(status);
  if (!problem) return { kind, title: 'Something on the way to the server refused', detail: message };
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

/** For where there is one line only. */
export function problemLine(error: unknown): string {
  const { title, detail, requestId } = problemWords(error);
  return `${title}: ${detail}${requestId === undefined ? '' : ` (request ${requestId})`}`;
}
