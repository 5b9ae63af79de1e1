/** Quantiles of values with counts: the smallest value that at least this part of all values does not exceed. */
export interface Counted {
  value: number;
  count: number;
}

export function quantiles(values: readonly Counted[], parts: readonly number[]): (number | null)[] {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  return parts.map((part) => {
    let below = 0;
    return sorted.find(({ count }) => (below += count) >= part * total)?.value ?? null;
  });
}
