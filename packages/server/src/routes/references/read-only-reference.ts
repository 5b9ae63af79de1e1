import { invalid } from '../../errors.ts';

interface Ref {
  id: number;
  label: string;
  uri: string;
}

/**
 * A client can send back the result of a GET, so read-only references are accepted and ignored. A changed reference is rejected,
 * and the error says what to use instead.
 */
export function rejectChangedReference(
  given: unknown,
  stored: Ref,
  { pointer, use }: { pointer: string; use: string },
): void {
  if (given === undefined || isSame(given, stored)) return;
  throw invalid({ pointer, detail: `${pointer} cannot be changed here. Use ${use}.` });
}

/** Accepts the object or part of it, or its id, label or URI. */
function isSame(given: unknown, stored: Ref): boolean {
  if (typeof given !== 'object' || given === null) return Object.values(stored).includes(given);
  return Object.entries(stored).every(([name, value]) => {
    const sent = (given as Record<string, unknown>)[name];
    return sent === undefined || sent === value;
  });
}
