/** Returns the set with the item added, or removed if the set contains it. */
export const toggle = <T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> =>
  new Set(set.has(item) ? [...set].filter((other) => other !== item) : [...set, item]);
