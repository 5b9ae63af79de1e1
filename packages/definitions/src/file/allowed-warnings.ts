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

const marker = /(?:^|\s)#[ \t]*milepost:[ \t]*(.*?)\s*$/i;
const wanted = /^allow[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]+because[ \t]+\S/i;
const form = 'Write "# milepost: allow CODE because REASON".';
const maxComments = 200;

export function readAllowed(text: string): AllowedWarnings {
  // Most files have no such comment.
  if (!/milepost:/i.test(text)) return { allowed: [], faults: [] };
  const lines = text.split('\n');
  const read = lines.flatMap((line, index) => {
    const match = marker.exec(line);
    return match ? [readComment(lines, index, match)] : [];
  });
  return {
    allowed: read.slice(0, maxComments).flatMap(({ allowed }) => allowed),
    faults: read.slice(0, maxComments).flatMap(({ faults }) => faults),
  };
}

function readComment(lines: readonly string[], index: number, match: RegExpExecArray): AllowedWarnings {
  const [whole, instruction = ''] = match;
  const place = { line: index + 1, column: match.index + whole.indexOf('#') + 1 };
  const [, names] = wanted.exec(instruction) ?? [];
  if (names === undefined) return invalid(place, withoutForm(instruction));
  const codes = names.split(',').map((name) => name.trim());
  const of = lineAllowedBy(lines, index);
  const known = warningCodes.filter((code) => codes.includes(code));
  const unknown = codes.find((code) => !warningCodes.some((other) => other === code));
  if (unknown !== undefined)
    return invalid(place, `"${unknown}" is not the code of a warning. ${suggestion(unknown, warningCodes)}`);
  return { allowed: known.map((code) => ({ code, of, ...place })), faults: [] };
}

const withoutForm = (instruction: string): string =>
  /^allow[ \t]+\w/i.test(instruction)
    ? `this comment gives no reason. ${form}`
    : `this comment is not an instruction. ${form}`;

const invalid = (place: { line: number; column: number }, detail: string): AllowedWarnings => ({
  allowed: [],
  faults: [{ code: 'invalid_allow', detail, ...place }],
});

const isComment = (line: string) => /^\s*(?:#|$)/.test(line);

/** The number of the line itself, or of the next line that is not a comment. */
function lineAllowedBy(lines: readonly string[], index: number): number {
  if (!isComment(lines[index] ?? '')) return index + 1;
  const next = lines.findIndex((line, at) => at > index && !isComment(line));
  return next === -1 ? index + 1 : next + 1;
}

/** A finding about a comment, as a fault of the file. */
export const onLine = <Code extends FindingCode>({ code, detail, line, column }: CommentFinding<Code>) => ({
  code,
  detail: `Line ${line}, column ${column}: ${detail}`,
  line,
  column,
});

/** The warnings that no comment allows, and a warning for each comment that allows nothing. */
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
