/** Warns about variables that conditions and placeholders read, although nothing in the file sets them. */
import { nearestName, shortened } from '@milepost/api';
import type { ReadState } from './entries.ts';
import type { WarningCode } from './finding-codes.ts';
import type { Finding, NameUse } from './findings.ts';

const maxWarnings = 50;

/** One warning for each variable, where it is first read. */
export function unsetVariables(states: readonly ReadState[], reads: readonly NameUse[]): Finding<WarningCode>[] {
  if (reads.length === 0) return [];
  const set = new Set(states.flatMap(setIn));
  const first = new Map<string, NameUse>();
  for (const read of reads) if (!set.has(read.name) && !first.has(read.name)) first.set(read.name, read);
  return [...first.values()].slice(0, maxWarnings).map(({ name, ...place }) => ({
    ...place,
    code: 'unset_variable',
    detail: `Nothing in this file sets the variable "${shortened(name)}". ${adviceFor(name, [...set])}`,
  }));
}

const setIn = ({ callbacks, decision }: ReadState): string[] => [
  ...callbacks.flatMap(({ variable_map }) => Object.keys(variable_map)),
  ...(decision?.fields ?? []).map(({ variable }) => variable),
];

function adviceFor(name: string, known: readonly string[]): string {
  const nearest = nearestName(name.slice(0, 100), known.slice(0, 200));
  if (nearest !== undefined) return `Did you mean "${shortened(nearest)}"?`;
  return 'Set it with the variable_map of a callback. If a user or a program sets it, allow this warning with a comment.';
}
