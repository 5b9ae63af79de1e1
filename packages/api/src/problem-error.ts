import type { Static } from 'typebox';
import type { Problem } from './problem.ts';

type ProblemBody = Static<typeof Problem>;

const isProblem = (value: unknown): value is ProblemBody =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;

/** A problem is the body itself, or the `error` of a rejected state change. */
const problemIn = (body: unknown): ProblemBody | undefined => {
  if (isProblem(body)) return body;
  const inner = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return isProblem(inner) ? inner : undefined;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A failed request. `problem` is undefined if something between client and server, such as a proxy, responded. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly problem: ProblemBody | undefined;

  constructor(response: { status: number; statusText: string; headers: Headers }, body: unknown) {
    const problem = problemIn(body);
    super(problem?.detail ?? `${response.status} ${response.statusText}`.trim());
    this.status = response.status;
    this.headers = response.headers;
    this.body = body;
    this.problem = problem;
  }

  static async of(response: Response): Promise<ProblemError> {
    return new ProblemError(response, parsed(await response.text()));
  }
}
