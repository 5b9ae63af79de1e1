/** Describes errors of the CEL parser for authors of conditions. The parser's own messages refer to its tokens. */
import type { ParseError } from '@marcbachmann/cel-js';
import { maxArguments, maxLevels, maxNodes } from './limits.ts';

export function describeParseError({ code, range, summary }: ParseError, cel: string): string {
  const found = cel.slice(range?.start, Math.max(range?.end ?? 0, (range?.start ?? 0) + 1));
  if (code === 'limit_exceeded') return describeLimit(summary);
  if (code === 'invalid_macro_argument') return `expected a name, as in list.exists(x, x > 1), but found ${found}.`;
  if (code === 'reserved_identifier') return `"${found}" is a reserved word in CEL and cannot be used as a name.`;
  if (code.includes('escape') || code.includes('surrogate'))
    return `${found} is not a valid escape sequence. Write \\\\ for a backslash.`;
  if (/number|integer|exponent/.test(code)) return `${found} is not a valid number.`;
  if (found === '') return 'the condition is incomplete.';
  return `unexpected "${found}".`;
}

function describeLimit(summary: string): string {
  if (summary.includes('maxDepth')) return `the condition is nested deeper than ${maxLevels} levels.`;
  if (summary.includes('maxCallArguments')) return `too many arguments. No function takes more than ${maxArguments}.`;
  return `the condition has more than ${maxNodes} parts. Split it across several transitions, or set a variable.`;
}
