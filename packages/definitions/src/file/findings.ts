/** Faults and warnings found in a workflow file, with their positions. */
import type { Fault } from '@milepost/api';
import { shortened } from '@milepost/api';
import { atPosition, type Position, type Positions } from './parse-yaml.ts';

export interface Finding {
  /** Into the file. */
  pointer: string;
  detail: string;
  /** An offset into the text at that location. */
  offset?: number;
}

export interface Findings {
  faults: Finding[];
  warnings: Finding[];
}

export interface Warning {
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

/** Returns the faults in file order. `pointer` is the location of the file in the body. */
export function placeFaults(source: Source, pointer: string, found: readonly Finding[]): Fault[] {
  const faults = found.map((finding) => placeFinding(source, pointer, finding)).toSorted(byPosition);
  if (faults.length <= maxFaults) return faults;
  const more = { pointer, detail: `${faults.length - maxFaults} more errors. Fix these first.` };
  return [...faults.slice(0, maxFaults), more];
}

export function placeWarnings(source: Source, found: readonly Finding[]): Warning[] {
  const warnings = found
    .map((finding) => ({ message: finding.detail, ...placeFinding(source, '', finding) }))
    .toSorted(byPosition)
    .slice(0, maxWarnings)
    .map(({ message, line, column }) => ({
      message: shortened(message, maxWarningLength),
      line: line ?? null,
      column: column ?? null,
    }));
  const more = found.length - warnings.length;
  return more === 0 ? warnings : [...warnings, { message: `${more} more warnings.`, line: null, column: null }];
}

const byPosition = (a: Partial<Position>, b: Partial<Position>) =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

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
