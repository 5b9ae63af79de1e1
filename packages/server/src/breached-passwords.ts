/**
 * Passwords that were stolen elsewhere and are tried everywhere: the most frequent of those that would be long enough here, known by the
 * first bytes of their SHA-256. The file is made by tools/print-breached-passwords.ts.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Of all passwords that anybody thinks of, one in fifty million is refused by mistake. */
const bytes = 5;

export const fingerprintOf = (folded: string): Buffer =>
  createHash('sha256').update(folded).digest().subarray(0, bytes);

let read: Buffer | undefined;
const known = (): Buffer => (read ??= readFileSync(new URL('../breached-passwords.bin', import.meta.url)));

export const breachedCount = (): number => known().length / bytes;

/** By halves, as they stand in order. */
export function isBreached(folded: string): boolean {
  const wanted = fingerprintOf(folded);
  let [low, high] = [0, breachedCount()];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = wanted.compare(known().subarray(middle * bytes, (middle + 1) * bytes));
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
}
