/** What is wrong with one part of a request or file. */
export interface Fault {
  /** A JSON pointer into the body, `?name` for a query parameter, `{name}` for a path parameter. */
  pointer: string;
  detail: string;
  /** What is wrong with a file (docs/reference/lint.md). */
  code?: string;
  /** The position in a file that is part of the body. */
  line?: number;
  column?: number;
  /** For errors in a query. */
  length?: number;
  suggestion?: string;
}

export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Why a text cannot be stored. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character, which cannot be stored.';
  return text.isWellFormed() ? undefined : 'contains a lone surrogate, or bytes that are not UTF-8.';
}
