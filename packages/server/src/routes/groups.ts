/** Rows that were read together, by what each of them belongs to. Answers a look-up, in which nothing belongs to null. */
export function groupBy<R, K>(rows: readonly R[], keyOf: (row: R) => K): (key: K | null) => R[] {
  const groups = Map.groupBy(rows, keyOf);
  return (key) => (key === null ? [] : (groups.get(key) ?? []));
}
