import { invalid } from '../errors.ts';

interface Ref {
  id: number;
  label: string;
  uri: string;
}

/**
 * What GET answered may be PUT back whole, so references in it are accepted and ignored. One that differs from the
 * stored one was meant to change something: it is refused, with the name of the field that does.
 */
export function refuseOtherReference(
  given: unknown,
  stored: Ref,
  { pointer, use }: { pointer: string; use: string },
): void {
  if (given === undefined || namesTheSame(given, stored)) return;
  throw invalid({ pointer, detail: `${pointer} cannot be changed here: use ${use}.` });
}

/** As GET answered it, whole or in part; or one of the three words that a reference can be. */
function namesTheSame(given: unknown, stored: Ref): boolean {
  if (typeof given !== 'object' || given === null) return Object.values(stored).includes(given);
  return Object.entries(stored).every(([name, value]) => {
    const sent = (given as Record<string, unknown>)[name];
    return sent === undefined || sent === value;
  });
}
