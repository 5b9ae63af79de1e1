/** Faults and warnings found in a file, with their positions. */
import type { Fault } from '@milepost/api';
import { shortened } from '@milepost/api';
import type { ErrorCode, FindingCode, WarningCode } from './finding-codes.ts';
import { atPosition, type Position, type Positions } from './parse-yaml.ts';

export interface Finding<Code extends FindingCode = FindingCode> {
  code: Code;
  /** Into the file. */
  pointer: string;
  detail: string;
  /** An offset into the text at that location. */
  offset?: number;
}

/** Where the file uses a name that is defined elsewhere. */
export interface NameUse {
  name: string;
  pointer: string;
  offset?: number;
}

export interface Findings {
  faults: Finding<ErrorCode>[];
  warnings: Finding<WarningCode>[];
  /** The variables that conditions and arguments read, in file order. */
  reads?: NameUse[];
  /** The external systems that arguments name. */
  systems?: NameUse[];
}

export interface Warning {
  /** Null if the warning is not about a part of the file. */
  code: WarningCode | null;
  message: string;
  line: number | null;
  column: number | null;
}

const maxFaults = 100;
const maxWarnings = 100;
const maxWarningLength = 1000;
const enough = 200;

/** Enough faults to skip further expensive checks. */
export const hasEnough = ({ faults }: Findings): boolean => faults.length >= enough;

/** The file and the positions of its parts. */
export interface Source {
  lines: readonly string[];
  positions: Positions;
}

/** `pointer` is the location of the file in the body. */
export const placeFaults = (source: Source, pointer: string, found: readonly Finding[]): Fault[] =>
  found.map((finding) => placeFinding(source, pointer, finding));

/** Returns the first faults in file order. */
export function firstFaults(found: readonly Fault[], pointer: string): Fault[] {
  const faults = found.toSorted(byPosition);
  if (faults.length <= maxFaults) return faults;
  const more = { pointer, detail: `${faults.length - maxFaults} more errors. Fix these first.` };
  return [...faults.slice(0, maxFaults), more];
}

export const placeWarnings = (source: Source, found: readonly Finding<WarningCode>[]): Warning[] =>
  found.map((finding) => {
    const { line = null, column = null } = placeFinding(source, '', finding);
    return { code: finding.code, message: shortened(finding.detail, maxWarningLength), line, column };
  });

/** Returns the first warnings in file order. */
export function firstWarnings(found: readonly Warning[]): Warning[] {
  const sorted = found.toSorted(byPosition);
  if (sorted.length <= maxWarnings) return sorted;
  const message = `${sorted.length - maxWarnings} more warnings.`;
  return [...sorted.slice(0, maxWarnings), { code: null, message, line: null, column: null }];
}

interface Placed {
  line?: number | null;
  column?: number | null;
}

const byPosition = (a: Placed, b: Placed) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

function placeFinding({ lines, positions }: Source, pointer: string, { offset, ...finding }: Finding): Fault {
  const start = positions.get(finding.pointer);
  const exact = start && offset !== undefined ? within(lines, start, offset) : undefined;
  return atPosition(exact ? new Map([[finding.pointer, exact]]) : positions, pointer, finding);
}

/**
 * A position inside a scalar. Undefined if the scalar is folded or has escapes, because offsets into its value then differ from
 * offsets in the file.
 */
function within(lines: readonly string[], { line, column }: Position, offset: number): Position | undefined {
  const written = lines[line - 1]?.slice(column - 1) ?? '';
  const quote = /^["']/.exec(written)?.[0] ?? '';
  const isFolded = /^[|>&*]/.test(written) || offset > written.length;
  if (isFolded || /[\\"']{2}|\\/.test(written.slice(quote.length, quote.length + offset))) return undefined;
  return { line, column: column + quote.length + offset };
}
