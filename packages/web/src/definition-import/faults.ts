/** The faults of a file, with their places in its text. */
import { ProblemError } from '@milepost/api';

export interface Finding {
  text: string;
  /** Undefined if the finding concerns the whole file. */
  place: Place | undefined;
}

export interface Place {
  line: number;
  column: number;
}

/** The position is shown next to the text. */
const withoutPlace = (text: string) => text.replace(/^Line \d+(?:, column \d+)?: /, '');

interface Reported {
  line?: number | null;
  column?: number | null;
}

const placeOf = ({ line, column }: Reported): Place | undefined =>
  line === undefined || line === null ? undefined : { line, column: column ?? 1 };

/** What the server rejected in the file. Empty if the request failed for another reason. */
export function faultsOf(error: unknown): Finding[] {
  const faults = error instanceof ProblemError ? (error.problem?.errors ?? []) : [];
  return faults.some(({ line }) => line !== undefined)
    ? faults.map((fault) => ({ text: withoutPlace(fault.detail), place: placeOf(fault) }))
    : [];
}

/** The warnings about a file that the server rejected. */
export const warningsOfRejected = (error: unknown): Finding[] =>
  warningsOf((error instanceof ProblemError ? error.problem?.warnings : undefined) ?? []);

export const warningsOf = (warnings: readonly (Reported & { message: string })[]): Finding[] =>
  warnings.map((warning) => ({ text: withoutPlace(warning.message), place: placeOf(warning) }));

/** The line at a place, and the index of the place in the text. */
export function lineAt(text: string, { line, column }: Place): { content: string; start: number; index: number } {
  const lines = text.split('\n');
  const content = lines[line - 1] ?? '';
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  return { content, start, index: start + Math.min(column - 1, content.length) };
}
