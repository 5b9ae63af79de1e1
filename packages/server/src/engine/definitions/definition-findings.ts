/** What reading a definition finds, faults and warnings alike, each with its place in the file. */
import type { Fault } from '../../errors.ts';
import { shortened } from '../../nearest-name.ts';
import { placed, type Position, type Positions } from '../documents/parse-yaml.ts';

export interface Finding {
  /** Into the file. */
  pointer: string;
  detail: string;
  /** Into the text that stands there. */
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

const mostFaults = 100;
const mostWarnings = 100;
const longestWarning = 1000;
const enough = 200;

/** So many that what costs much to look at need not be looked at any more. */
export const hasEnough = ({ faults }: Findings): boolean => faults.length >= enough;

/** The file and where its parts stand. */
export interface Source {
  lines: readonly string[];
  positions: Positions;
}

/** In the order of the file. `pointer` is where the file stands in the body. */
export function placeFaults(source: Source, pointer: string, found: readonly Finding[]): Fault[] {
  const faults = found.map((finding) => placeFinding(source, pointer, finding)).toSorted(byPlace);
  if (faults.length <= mostFaults) return faults;
  const more = { pointer, detail: `There are ${faults.length - mostFaults} more faults; mend these first.` };
  return [...faults.slice(0, mostFaults), more];
}

export function placeWarnings(source: Source, found: readonly Finding[]): Warning[] {
  const warnings = found
    .map((finding) => ({ message: finding.detail, ...placeFinding(source, '', finding) }))
    .toSorted(byPlace)
    .slice(0, mostWarnings)
    .map(({ message, line, column }) => ({
      message: shortened(message, longestWarning),
      line: line ?? null,
      column: column ?? null,
    }));
  const more = found.length - warnings.length;
  return more === 0
    ? warnings
    : [...warnings, { message: `There are ${more} more warnings.`, line: null, column: null }];
}

const byPlace = (a: Partial<Position>, b: Partial<Position>) =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

function placeFinding({ lines, positions }: Source, pointer: string, { offset, ...finding }: Finding): Fault {
  const start = positions.get(finding.pointer);
  const exact = start && offset !== undefined ? within(lines, start, offset) : undefined;
  return placed(exact ? new Map([[finding.pointer, exact]]) : positions, pointer, finding);
}

/**
 * A place inside a scalar. Where it is folded over lines or written with escapes, an offset into its value says nothing of
 * its place in the file: then its start has to do.
 */
function within(lines: readonly string[], { line, column }: Position, offset: number): Position | undefined {
  const written = lines[line - 1]?.slice(column - 1) ?? '';
  const quote = /^["']/.exec(written)?.[0] ?? '';
  const isWrittenOtherwise = /^[|>&*]/.test(written) || offset > written.length;
  if (isWrittenOtherwise || /[\\"']{2}|\\/.test(written.slice(quote.length, quote.length + offset))) return undefined;
  return { line, column: column + quote.length + offset };
}
