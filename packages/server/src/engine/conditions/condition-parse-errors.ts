/** What the parser of CEL found wrong, in our own words, as its own speak of tokens. */
import type { ParseError } from '@marcbachmann/cel-js';
import { mostLevels, mostNodes } from './condition-limits.ts';

export function wordsForParseError({ code, range, summary }: ParseError, cel: string): string {
  const there = cel.slice(range?.start, Math.max(range?.end ?? 0, (range?.start ?? 0) + 1));
  if (code === 'limit_exceeded') return wordsForLimit(summary);
  if (code === 'invalid_macro_argument') return `a name is needed here, as in list.exists(x, x > 1), not ${there}.`;
  if (code === 'reserved_identifier') return `"${there}" is a reserved word of CEL and cannot be a name.`;
  if (code.includes('escape') || code.includes('surrogate'))
    return `${there} is no escape: write \\\\ for a backslash.`;
  if (/number|integer|exponent/.test(code)) return `${there} is no number that can be read.`;
  if (there === '') return 'the condition ends here, and something is still missing.';
  return `"${there}" cannot stand here.`;
}

function wordsForLimit(summary: string): string {
  if (summary.includes('maxDepth')) return `the condition is nested deeper than ${mostLevels} levels.`;
  if (summary.includes('maxCallArguments')) return 'no function takes so many values.';
  return `the condition has more than ${mostNodes} parts: split it over several transitions, or set a variable.`;
}
