/** Groups rows by key and returns a lookup function, which returns no rows for null. */
export function groupBy<R, K>(rows: readonly R[], keyOf: (row: R) => K): (key: K | null) => R[] {
  const groups = Map.groupBy(rows, keyOf);
  return (key) => (key === null ? [] : (groups.get(key) ?? []));
}
