/** Errors with a code of the closed list in docs/reference/errors.md. http/problem.ts turns them into responses. */
import { problemCodes, shortened, type Fault, type ImportFinding, type ProblemCode } from '@milepost/api';
import type { Static } from 'typebox';

type Warning = Static<typeof ImportFinding>;

export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly faults: readonly Fault[];
  /** About a file that an import rejects. */
  readonly warnings: readonly Warning[];
  readonly retryAfterSeconds: number | undefined;
  /** Commits the changes of the transaction anyway, because the history records the rejection. */
  readonly keepsChanges: boolean;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      faults?: Fault[];
      warnings?: readonly Warning[];
      retryAfterSeconds?: number;
      keepsChanges?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.faults = more.faults ?? [];
    this.warnings = more.warnings ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.keepsChanges = more.keepsChanges ?? false;
  }

  get status(): number {
    return problemCodes[this.code].status;
  }
}

interface Occurrence {
  detail: string;
  instance: string;
  faults?: readonly Fault[];
  warnings?: readonly Warning[];
  requestId: string;
}

/** The problem object of a response. */
export const problemObject = <C extends ProblemCode>(
  code: C,
  { detail, instance, faults = [], warnings = [], requestId }: Occurrence,
) => ({
  type: `urn:milepost:problem:${code}`,
  title: problemCodes[code].title,
  status: problemCodes[code].status,
  detail,
  message: detail,
  instance,
  code,
  errors: [...faults],
  ...(warnings.length > 0 && { warnings: [...warnings] }),
  request_id: requestId,
});

/** 404 for the object in the path. */
export const notFound = (what: string) => new Problem('not_found', `No ${what}.`);

/** 404 for an object that the body or query refers to, at `pointer`. */
export const referenceNotFound = (pointer: string, what: string) =>
  new Problem('not_found', `No ${what}. Nothing was saved.`, {
    faults: [{ pointer, detail: `No ${what}.` }],
  });

/** 400 for one or more fields. */
export const invalid = (...faults: Fault[]): Problem =>
  problemWith('invalid_request', faults, (count) => `${count} fields are invalid. See \`errors\`.`);

/** 400 for a workflow file or configuration file in the body. */
export const invalidDefinition = (faults: Fault[], warnings: readonly Warning[] = []): Problem =>
  problemWith('invalid_definition', faults, (count) => `The file has ${count} errors. See \`errors\`.`, warnings);

/** Messages quote parts of the request, which can be long. */
const maxMessageLength = 1000;

const shorten = (fault: Fault): Fault => ({
  ...fault,
  pointer: shortened(fault.pointer, maxMessageLength),
  detail: shortened(fault.detail, maxMessageLength),
});

function problemWith(
  code: ProblemCode,
  found: Fault[],
  summaryOf: (count: number) => string,
  warnings: readonly Warning[] = [],
): Problem {
  const faults = found.map(shorten);
  const [first] = faults;
  const detail = faults.length === 1 && first ? first.detail : summaryOf(faults.length);
  return new Problem(code, detail, { faults, warnings });
}
