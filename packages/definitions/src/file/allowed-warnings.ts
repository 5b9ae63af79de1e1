/**
 * Comments that allow a warning: `# milepost: allow CODE because REASON`. A comment at the end of a line allows warnings of that
 * line. A comment on lines of its own allows those of the next other line.
 */
import { suggestion } from '@milepost/api';
import { warningCodes, type ErrorCode, type FindingCode, type WarningCode } from './finding-codes.ts';
import type { Warning } from './findings.ts';

/** A finding about a comment, which has no pointer. */
export interface CommentFinding<Code extends FindingCode> {
  code: Code;
  detail: string;
  line: number;
  column: number;
}

interface Allowed {
  code: WarningCode;
  /** The line whose warnings are allowed. */
  of: number;
  line: number;
  column: number;
}

export interface AllowedWarnings {
  allowed: readonly Allowed[];
  faults: CommentFinding<ErrorCode>[];
}

/** Other comments that begin with the name are text. */
const marker = /(?:^|\s)#[ \t]*milepost:[ \t]*(allow\b.*)/;
const wanted = /^allow[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]+because[ \t]+\S/;
const form = 'Write "# milepost: allow CODE because REASON".';
const maxComments = 200;
const noComments: AllowedWarnings = { allowed: [], faults: [] };

export function readAllowed(text: string): AllowedWarnings {
  // Most files have no such comment.
  if (!text.includes('milepost:')) return noComments;
  const read: AllowedWarnings[] = [];
  const lines = text.split('\n');
  // Backwards, so that the next line that is not a comment is known.
  let next: number | undefined;
  for (const [index, line] of [...lines.entries()].toReversed()) {
    if (!isComment(line)) next = index + 1;
    const match = marker.exec(line);
    if (match) read.push(readComment(match, index + 1, next ?? index + 1));
  }
  const first = read.toReversed().slice(0, maxComments);
  return { allowed: first.flatMap(({ allowed }) => allowed), faults: first.flatMap(({ faults }) => faults) };
}

/** `of` is the line whose warnings it allows. */
function readComment(match: RegExpExecArray, line: number, of: number): AllowedWarnings {
  const [whole, instruction = ''] = match;
  const place = { line, column: match.index + whole.indexOf('#') + 1 };
  const [, names] = wanted.exec(instruction) ?? [];
  if (names === undefined) return invalid(place, withoutForm(instruction));
  const codes = names.split(',').map((name) => name.trim());
  const known = warningCodes.filter((code) => codes.includes(code));
  const unknown = codes.find((code) => !warningCodes.some((other) => other === code));
  if (unknown !== undefined)
    return invalid(place, `"${unknown}" is not the code of a warning. ${suggestion(unknown, warningCodes)}`);
  return { allowed: known.map((code) => ({ code, of, ...place })), faults: [] };
}

const withoutForm = (instruction: string): string =>
  /^allow[ \t]+\w/.test(instruction)
    ? `this comment gives no reason. ${form}`
    : `this comment is not an instruction. ${form}`;

const invalid = (place: { line: number; column: number }, detail: string): AllowedWarnings => ({
  allowed: [],
  faults: [{ code: 'invalid_allow', detail, ...place }],
});

const isComment = (line: string) => /^\s*(?:#|$)/.test(line);

/** A finding about a comment, as a fault of the file. */
export const onLine = <Code extends FindingCode>({ code, detail, line, column }: CommentFinding<Code>) => ({
  code,
  detail: `Line ${line}, column ${column}: ${detail}`,
  line,
  column,
});

/** The warnings that no comment allows, and a warning for each comment that allows nothing, unless its warning may be missing. */
export function withoutAllowed(
  warnings: readonly Warning[],
  { allowed }: AllowedWarnings,
  unchecked: readonly WarningCode[] = [],
): Warning[] {
  if (allowed.length === 0) return [...warnings];
  const isAllowed = ({ code, line }: Warning) => allowed.some((one) => one.code === code && one.of === line);
  const unused = allowed.filter(
    ({ code, of }) =>
      !unchecked.includes(code) && !warnings.some((warning) => warning.code === code && warning.line === of),
  );
  return [...warnings.filter((warning) => !isAllowed(warning)), ...unused.map(unusedWarning)];
}

const unusedWarning = ({ code, of, line, column }: Allowed): Warning => ({
  code: 'unused_allow',
  message: `Line ${of} has no warning "${code}". Remove this comment.`,
  line,
  column,
});
