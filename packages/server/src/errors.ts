/**
 * The one error class: thrown anywhere with a code of the closed list, turned into an answer in http/problem.ts.
 * What a code means and what to do about it: docs/reference/errors.md.
 */
import { problemCodes, type ProblemCode } from '@milepost/api';
import { shortened } from './nearest-name.ts';

export interface Fault {
  /** A JSON pointer into the body, `?name` for a query parameter, `{name}` for a part of the path. */
  pointer: string;
  detail: string;
  /** For text inside the body, such as a definition file. */
  line?: number;
  column?: number;
}

export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  /** What was written before the refusal stays: the refusal itself is part of the history. */
  readonly keepsWritten: boolean;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { faults?: Fault[]; retryAfterSeconds?: number; keepsWritten?: boolean; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.faults = more.faults ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.keepsWritten = more.keepsWritten ?? false;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }
}

/** 404 for what a path names. */
export const notFound = (what: string) => new Problem('not_found', `There is no ${what}.`);

/** 404 for what a body or query refers to: `pointer` shows where. */
export const referenceNotFound = (pointer: string, what: string) =>
  new Problem('not_found', `There is no ${what}. Nothing was saved.`, {
    faults: [{ pointer, detail: `There is no ${what}.` }],
  });

/** 400 for one or more fields. */
export const invalid = (...faults: Fault[]): Problem => faulty('invalid_request', faults);

/** 400 for a definition file that the body carries. */
export const invalidDefinition = (faults: Fault[]): Problem => faulty('invalid_definition', faults);

/** What somebody wrote is told again in the sentences about it, however long it is. */
const longestSentence = 1000;

const bounded = (fault: Fault): Fault => ({
  ...fault,
  pointer: shortened(fault.pointer, longestSentence),
  detail: shortened(fault.detail, longestSentence),
});

function faulty(code: ProblemCode, found: Fault[]): Problem {
  const faults = found.map(bounded);
  const [first] = faults;
  const summary = faults.length === 1 && first ? first.detail : `${faults.length} things do not fit; see errors.`;
  return new Problem(code, summary, { faults });
}
