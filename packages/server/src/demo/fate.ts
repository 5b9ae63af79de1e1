/** A random number from 0 to below 1 that depends only on its arguments, so that each start of the demo is the same. */
import { createHash } from 'node:crypto';

export const fate = (...of: readonly (string | number)[]): number =>
  createHash('sha256').update(of.join('\n')).digest().readUInt32BE() / 2 ** 32;

/** A number between two, with so many decimal places. */
export const between = (least: number, most: number, chance: number, digits = 0): number =>
  Number((least + (most - least) * chance).toFixed(digits));

/** Counts the calls for each name, so that a second attempt can have another outcome. */
export function createCounter(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
}
