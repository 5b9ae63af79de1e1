/** Chance that is the same at every start: what becomes of an experiment follows from its label. From 0 to below 1. */
import { createHash } from 'node:crypto';

export const fate = (...of: readonly (string | number)[]): number =>
  createHash('sha256').update(of.join('\n')).digest().readUInt32BE() / 2 ** 32;

/** A number between two, with so many digits behind the point. */
export const between = (least: number, most: number, chance: number, digits = 0): number =>
  Number((least + (most - least) * chance).toFixed(digits));

/** Counts how often it was asked for a name: a second try has a fate of its own. */
export function counting(): (name: string) => number {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
}
