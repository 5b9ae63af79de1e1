/**
 * The most frequent leaked passwords that would be long enough here, stored as the first bytes of their SHA-256.
 * tools/print-breached-passwords.ts writes the file.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** With 5 bytes, one in fifty million other passwords is rejected by mistake. */
const bytes = 5;

export const fingerprintOf = (folded: string): Buffer =>
  createHash('sha256').update(folded).digest().subarray(0, bytes);

let read: Buffer | undefined;
const known = (): Buffer => (read ??= readFileSync(new URL('../breached-passwords.bin', import.meta.url)));

export const breachedCount = (): number => known().length / bytes;

/** A binary search in the sorted file. */
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
